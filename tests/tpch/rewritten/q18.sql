select
  extract(year from o_orderdate) as o_year,
  count(*) as large_orders,
  sum(o_totalprice) as totalprice
from
  (
    select
      o_custkey,
      o_orderkey,
      o_orderdate,
      o_totalprice,
      sum(cast(l_quantity as bigint)) as quantity
    from
      orders,
      lineitem
    where
      o_orderkey = l_orderkey
    group by
      o_custkey,
      o_orderkey,
      o_orderdate,
      o_totalprice
  ) as sized
where
  quantity > 300
group by
  o_year
order by
  o_year
