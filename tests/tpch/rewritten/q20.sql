with shipped (partkey, suppkey, quantity) as (
  select
    l_partkey,
    l_suppkey,
    sum(l_quantity)
  from
    lineitem,
    part
  where
    p_partkey = l_partkey
    and p_name like 'forest%'
    and l_shipdate >= date '1994-01-01'
    and l_shipdate < date '1994-01-01' + interval '1' year
  group by
    l_partkey,
    l_suppkey
)
select
  s_name,
  s_address
from
  supplier,
  nation
where
  s_suppkey in (
    select
      ps_suppkey
    from
      partsupp,
      shipped
    where
      ps_partkey = partkey
      and ps_suppkey = suppkey
      and ps_availqty > 0.5 * quantity
  )
  and s_nationkey = n_nationkey
  and n_name = 'CANADA'
order by
  s_name
