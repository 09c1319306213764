-- A small shop, made from numbers alone: 3,000 customers in eight cities, one of them with four
-- customers only, and about 20,000 orders. The same rows every time.
CREATE TABLE city (name VARCHAR PRIMARY KEY, country VARCHAR NOT NULL);
INSERT INTO city VALUES
  ('Berlin', 'Germany'), ('Hamburg', 'Germany'), ('Lyon', 'France'), ('Paris', 'France'),
  ('Osaka', 'Japan'), ('Tokyo', 'Japan'), ('Sapporo', 'Japan'), ('Hiroo', 'Japan');

CREATE TABLE customer (
  customer_id INTEGER PRIMARY KEY,
  name VARCHAR NOT NULL,
  city VARCHAR NOT NULL,
  segment VARCHAR NOT NULL,
  age INTEGER
);
INSERT INTO customer
SELECT i,
       'Customer ' || i,
       CASE WHEN i <= 4 THEN 'Hiroo'
            ELSE ['Tokyo', 'Tokyo', 'Paris', 'Berlin', 'Osaka', 'Lyon', 'Hamburg', 'Sapporo'][1 + (i * 7919) % 8]
       END,
       ['home', 'office', 'school'][1 + (i * 104729) % 3],
       CASE WHEN i % 23 = 0 THEN NULL ELSE 18 + (i * 6271) % 62 END
FROM range(1, 3001) t(i);

CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  ordered DATE NOT NULL,
  amount DECIMAL(10, 2) NOT NULL
);
INSERT INTO orders
SELECT j,
       1 + (j * 7907) % 3000,
       DATE '2026-01-01' + CAST((j * 31) % 300 AS INTEGER),
       CAST(5 + (j * 48271 % 9973) / 20.0 AS DECIMAL(10, 2))
FROM range(1, 20001) t(j);

CREATE TABLE item (
  order_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  product VARCHAR NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (order_id, line)
);
INSERT INTO item
SELECT 1 + j // 2, 1 + j % 2, ['tea', 'rice', 'paper', 'lamp', 'chair'][1 + (j * 7) % 5], 1 + (j * 13) % 9
FROM range(0, 40000) t(j);
