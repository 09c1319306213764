-- A shop with everything that can go wrong in a column: NULL, NaN, infinities, extremes, units
-- that are NULL, children without a parent, values outside the declared list.
CREATE TABLE city (name VARCHAR PRIMARY KEY, country VARCHAR NOT NULL);
INSERT INTO city VALUES ('Berlin', 'Germany'), ('Lyon', 'France'), ('Paris', 'France'), ('Osaka', 'Japan');

CREATE TABLE customer (
  customer_id INTEGER PRIMARY KEY,
  name VARCHAR,
  city VARCHAR,
  segment VARCHAR NOT NULL,
  age INTEGER,
  balance DECIMAL(10, 2) NOT NULL,
  score DOUBLE,
  active BOOLEAN NOT NULL,
  born DATE,
  huge HUGEINT
);
INSERT INTO customer
SELECT i,
       'Customer ' || i,
       CASE WHEN i % 50 = 0 THEN NULL WHEN i <= 3 THEN 'Hiroo'
            ELSE ['Berlin', 'Paris', 'Osaka', 'Lyon', 'Paris'][1 + i % 5] END,
       CASE WHEN i = 7 THEN 'pirate' ELSE ['home', 'office', 'school'][1 + i % 3] END,
       CASE WHEN i % 7 = 0 THEN NULL ELSE 18 + i % 60 END,
       CAST((i * 37 % 2000) - 500 + i / 100.0 AS DECIMAL(10, 2)),
       CASE WHEN i % 11 = 0 THEN 'nan' WHEN i % 13 = 0 THEN 'infinity' WHEN i % 17 = 0 THEN '-infinity'
            WHEN i % 19 = 0 THEN NULL ELSE CAST(i / 3.0 AS VARCHAR) END :: DOUBLE,
       i % 2 = 0,
       CASE WHEN i % 29 = 0 THEN NULL ELSE DATE '1950-01-01' + CAST(i * 10 AS INTEGER) END,
       CASE WHEN i = 5 THEN 170141183460469231731687303715884105727 ELSE i END :: HUGEINT
FROM range(1, 301) t(i);

CREATE TABLE orders (
  order_id BIGINT PRIMARY KEY,
  customer_id INTEGER,
  ordered DATE NOT NULL,
  amount DECIMAL(10, 2),
  big BIGINT NOT NULL
);
INSERT INTO orders
SELECT j,
       CASE WHEN j % 40 = 0 THEN NULL ELSE 1 + (j * 7) % 280 END,
       DATE '2026-01-01' + CAST(j % 100 AS INTEGER),
       CASE WHEN j % 9 = 0 THEN NULL ELSE CAST(j % 700 + 0.25 AS DECIMAL(10, 2)) END,
       CASE WHEN j = 3 THEN 9223372036854775807 WHEN j = 4 THEN -9223372036854775808 ELSE j END
FROM range(1, 2001) t(j);

CREATE TABLE item (
  order_id BIGINT,
  line INTEGER NOT NULL,
  product VARCHAR NOT NULL,
  quantity INTEGER NOT NULL
);
INSERT INTO item
SELECT CASE WHEN j % 100 = 0 THEN NULL WHEN j % 101 = 0 THEN 999999 ELSE 1 + j // 2 END,
       1 + j % 2,
       ['tea', 'rice', 'lamp'][1 + j % 3],
       1 + j % 9
FROM range(0, 4000) t(j);

CREATE TABLE visit (who VARCHAR, page VARCHAR NOT NULL, seconds INTEGER);
INSERT INTO visit SELECT 'u' || (j % 40), '/p' || (j % 6), j % 300 FROM range(0, 1000) t(j);

CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, owner INTEGER, rent INTEGER);
INSERT INTO shop SELECT i, i, 100 * i FROM range(1, 30) t(i);

CREATE TABLE empty_table (customer_id INTEGER, value INTEGER);
CREATE TABLE secret (customer_id INTEGER, diagnosis VARCHAR);
CREATE VIEW customer_view AS SELECT * FROM customer;
CREATE TABLE folded (customer_id VARCHAR COLLATE NOCASE, value INTEGER);
