with usual (partkey, low) as (
  select
    l_partkey,
    0.2 * avg(l_quantity)
  from
    lineitem,
    part
  where
    p_partkey = l_partkey
    and p_brand = 'Brand#23'
    and p_container = 'MED BOX'
  group by
    l_partkey
)
select
  sum(l_extendedprice) / 7.0 as avg_yearly
from
  lineitem,
  usual
where
  l_partkey = partkey
  and l_quantity < low
