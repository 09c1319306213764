-- TPC-H from the Parquet files of the working folder, with its keys. One column is changed: the
-- paper's COVAR query needs price and discount to be related, and TPC-H draws them apart.

CREATE TABLE region (
  r_regionkey INTEGER PRIMARY KEY, r_name VARCHAR NOT NULL, r_comment VARCHAR NOT NULL);
INSERT INTO region SELECT * FROM 'region.parquet';

CREATE TABLE nation (
  n_nationkey INTEGER PRIMARY KEY, n_name VARCHAR NOT NULL, n_regionkey INTEGER NOT NULL,
  n_comment VARCHAR NOT NULL);
INSERT INTO nation SELECT * FROM 'nation.parquet';

CREATE TABLE supplier (
  s_suppkey BIGINT PRIMARY KEY, s_name VARCHAR NOT NULL, s_address VARCHAR NOT NULL,
  s_nationkey INTEGER NOT NULL, s_phone VARCHAR NOT NULL, s_acctbal DECIMAL(15, 2) NOT NULL,
  s_comment VARCHAR NOT NULL);
INSERT INTO supplier SELECT * FROM 'supplier.parquet';

CREATE TABLE part (
  p_partkey BIGINT PRIMARY KEY, p_name VARCHAR NOT NULL, p_mfgr VARCHAR NOT NULL,
  p_brand VARCHAR NOT NULL, p_type VARCHAR NOT NULL, p_size INTEGER NOT NULL,
  p_container VARCHAR NOT NULL, p_retailprice DECIMAL(15, 2) NOT NULL, p_comment VARCHAR NOT NULL);
INSERT INTO part SELECT * FROM 'part.parquet';

CREATE TABLE partsupp (
  ps_partkey BIGINT NOT NULL, ps_suppkey BIGINT NOT NULL, ps_availqty INTEGER NOT NULL,
  ps_supplycost DECIMAL(15, 2) NOT NULL, ps_comment VARCHAR NOT NULL,
  PRIMARY KEY (ps_partkey, ps_suppkey));
INSERT INTO partsupp SELECT * FROM 'partsupp.parquet';

CREATE TABLE customer (
  c_custkey BIGINT PRIMARY KEY, c_name VARCHAR NOT NULL, c_address VARCHAR NOT NULL,
  c_nationkey INTEGER NOT NULL, c_phone VARCHAR NOT NULL, c_acctbal DECIMAL(15, 2) NOT NULL,
  c_mktsegment VARCHAR NOT NULL, c_comment VARCHAR NOT NULL);
INSERT INTO customer SELECT * FROM 'customer.parquet';

CREATE TABLE orders (
  o_orderkey BIGINT PRIMARY KEY, o_custkey BIGINT NOT NULL, o_orderstatus VARCHAR NOT NULL,
  o_totalprice DECIMAL(15, 2) NOT NULL, o_orderdate DATE NOT NULL, o_orderpriority VARCHAR NOT NULL,
  o_clerk VARCHAR NOT NULL, o_shippriority INTEGER NOT NULL, o_comment VARCHAR NOT NULL);
INSERT INTO orders SELECT * FROM 'orders.parquet';

-- The discounts are dealt out again by the rank of 0.307 z(price) + sqrt(1 - 0.307^2) N(0, 1), which
-- makes the correlation 0.300 and keeps their multiset. The normal comes from the row's own key
-- (Box and Muller, on two halves of a digest), so neither threads nor order of reading change it.
CREATE TEMP MACRO digest(orderkey, line) AS md5_number('3 ' || orderkey || ' ' || line);
CREATE TEMP MACRO uniform(half) AS (half::DOUBLE + 0.5) / 18446744073709551616.0;
CREATE TEMP MACRO normal(digest) AS sqrt(-2 * ln(uniform(digest >> 64)))
  * cos(2 * pi() * uniform(digest & 18446744073709551615::UHUGEINT));
SET VARIABLE mean = (SELECT round(avg(l_extendedprice), 2) FROM 'lineitem.parquet');
SET VARIABLE sd = (SELECT round(stddev_pop(l_extendedprice), 2) FROM 'lineitem.parquet');
CREATE TEMP MACRO score(orderkey, line, price) AS
  0.307 * (price::DOUBLE - getvariable('mean')) / getvariable('sd')
  + sqrt(1 - 0.307 * 0.307) * normal(digest(orderkey, line));

-- From which score on each discount is dealt: that of the first place behind all smaller ones.
CREATE TEMP TABLE dealt AS
WITH counted AS (
  SELECT l_discount, count(*) AS lines FROM 'lineitem.parquet' GROUP BY l_discount),
placed AS (
  SELECT l_discount, 1 + coalesce(sum(lines) OVER (ORDER BY l_discount
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS place
  FROM counted),
ranked AS (
  SELECT own, row_number() OVER (ORDER BY own) AS place
  FROM (SELECT score(l_orderkey, l_linenumber, l_extendedprice) AS own FROM 'lineitem.parquet'))
SELECT l_discount, own AS first_score FROM placed JOIN ranked USING (place);
SET VARIABLE discounts = (SELECT list(l_discount ORDER BY l_discount) FROM dealt);
SET VARIABLE scores = (SELECT list(first_score ORDER BY l_discount) FROM dealt);

CREATE TABLE lineitem (
  l_orderkey BIGINT NOT NULL, l_partkey BIGINT NOT NULL, l_suppkey BIGINT NOT NULL,
  l_linenumber INTEGER NOT NULL, l_quantity DECIMAL(15, 2) NOT NULL,
  l_extendedprice DECIMAL(15, 2) NOT NULL, l_discount DECIMAL(15, 2) NOT NULL,
  l_tax DECIMAL(15, 2) NOT NULL, l_returnflag VARCHAR NOT NULL, l_linestatus VARCHAR NOT NULL,
  l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL, l_receiptdate DATE NOT NULL,
  l_shipinstruct VARCHAR NOT NULL, l_shipmode VARCHAR NOT NULL, l_comment VARCHAR NOT NULL);
INSERT INTO lineitem
SELECT lines.* EXCLUDE (own) REPLACE (getvariable('discounts')[
    len(list_filter(getvariable('scores'), lambda first: first <= own))] AS l_discount)
FROM (SELECT *, score(l_orderkey, l_linenumber, l_extendedprice) AS own
      FROM 'lineitem.parquet') AS lines;
CHECKPOINT;
