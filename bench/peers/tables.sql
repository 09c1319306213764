-- The columns that the ten queries and Q1, Q5, Q6, Q14 and Q19 of TPC-H read, and beside each line its
-- customer, for ours and the peers alike. Money is DOUBLE, as the peers want it. {database} is TPC-H
-- of bench/tpch.
ATTACH '{database}' AS whole (READ_ONLY);
CREATE TABLE region (r_regionkey INTEGER PRIMARY KEY, r_name VARCHAR NOT NULL);
INSERT INTO region SELECT r_regionkey, r_name FROM whole.region;
CREATE TABLE nation (
  n_nationkey INTEGER PRIMARY KEY, n_name VARCHAR NOT NULL, n_regionkey INTEGER NOT NULL);
INSERT INTO nation SELECT n_nationkey, n_name, n_regionkey FROM whole.nation;
CREATE TABLE supplier (s_suppkey BIGINT PRIMARY KEY, s_nationkey INTEGER NOT NULL);
INSERT INTO supplier SELECT s_suppkey, s_nationkey FROM whole.supplier;
CREATE TABLE part (
  p_partkey BIGINT PRIMARY KEY, p_brand VARCHAR NOT NULL, p_type VARCHAR NOT NULL,
  p_size INTEGER NOT NULL, p_container VARCHAR NOT NULL);
INSERT INTO part SELECT p_partkey, p_brand, p_type, p_size, p_container FROM whole.part;
CREATE TABLE customer (
  c_custkey BIGINT PRIMARY KEY, c_nationkey INTEGER NOT NULL, c_acctbal DOUBLE NOT NULL,
  c_mktsegment VARCHAR NOT NULL);
INSERT INTO customer SELECT c_custkey, c_nationkey, c_acctbal, c_mktsegment FROM whole.customer;
CREATE TABLE orders (
  o_orderkey BIGINT PRIMARY KEY, o_custkey BIGINT NOT NULL, o_orderstatus VARCHAR NOT NULL,
  o_totalprice DOUBLE NOT NULL, o_orderdate DATE NOT NULL);
INSERT INTO orders
SELECT o_orderkey, o_custkey, o_orderstatus, o_totalprice, o_orderdate FROM whole.orders;
CREATE TABLE lineitem (
  l_orderkey BIGINT NOT NULL, l_linenumber INTEGER NOT NULL, l_custkey BIGINT NOT NULL,
  l_partkey BIGINT NOT NULL, l_suppkey BIGINT NOT NULL, l_quantity DOUBLE NOT NULL,
  l_extendedprice DOUBLE NOT NULL, l_discount DOUBLE NOT NULL, l_tax DOUBLE NOT NULL,
  l_returnflag VARCHAR NOT NULL, l_linestatus VARCHAR NOT NULL, l_shipdate DATE NOT NULL,
  l_shipinstruct VARCHAR NOT NULL, l_shipmode VARCHAR NOT NULL,
  PRIMARY KEY (l_orderkey, l_linenumber));
INSERT INTO lineitem
SELECT l_orderkey, l_linenumber, o_custkey, l_partkey, l_suppkey, l_quantity, l_extendedprice,
  l_discount, l_tax, l_returnflag, l_linestatus, l_shipdate, l_shipinstruct, l_shipmode
FROM whole.lineitem JOIN whole.orders ON l_orderkey = o_orderkey ORDER BY l_orderkey, l_linenumber;
CHECKPOINT;
