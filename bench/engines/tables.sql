-- The columns that the ten queries read, and beside each line its customer. Money is DOUBLE on all
-- engines, because SQLite has no decimals. {database} is TPC-H of bench/tpch.
ATTACH '{database}' AS whole (READ_ONLY);
CREATE TABLE customer (
  c_custkey BIGINT PRIMARY KEY, c_nationkey INTEGER NOT NULL, c_acctbal DOUBLE NOT NULL,
  c_mktsegment VARCHAR NOT NULL);
INSERT INTO customer SELECT c_custkey, c_nationkey, c_acctbal, c_mktsegment FROM whole.customer;
CREATE TABLE orders (
  o_orderkey BIGINT PRIMARY KEY, o_custkey BIGINT NOT NULL, o_orderstatus VARCHAR NOT NULL,
  o_totalprice DOUBLE NOT NULL);
INSERT INTO orders SELECT o_orderkey, o_custkey, o_orderstatus, o_totalprice FROM whole.orders;
CREATE TABLE lineitem (
  l_orderkey BIGINT NOT NULL, l_linenumber INTEGER NOT NULL, l_custkey BIGINT NOT NULL,
  l_extendedprice DOUBLE NOT NULL, l_discount DOUBLE NOT NULL,
  PRIMARY KEY (l_orderkey, l_linenumber));
INSERT INTO lineitem
SELECT l_orderkey, l_linenumber, o_custkey, l_extendedprice, l_discount
FROM whole.lineitem JOIN whole.orders ON l_orderkey = o_orderkey ORDER BY l_orderkey, l_linenumber;
CHECKPOINT;
