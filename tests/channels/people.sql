-- 240 people. Person 13 holds what breaks arithmetic, casts and dates, and has a hundred times as
-- many visits as anybody: whatever could fail on a row fails on theirs.
CREATE TABLE city (name VARCHAR PRIMARY KEY, country VARCHAR NOT NULL);
INSERT INTO city VALUES ('Berlin', 'Germany'), ('Lyon', 'France'), ('Osaka', 'Japan');

CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  city VARCHAR,
  segment VARCHAR NOT NULL,
  age INTEGER,
  score DOUBLE,
  born DATE,
  note VARCHAR,
  big BIGINT,
  huge HUGEINT,
  price DECIMAL(18, 4),
  seen TIMESTAMP
);
INSERT INTO person
SELECT i, ['Berlin', 'Lyon', 'Osaka'][1 + i % 3], ['home', 'office'][1 + i % 2], 18 + i % 60, i / 7.0,
       DATE '1960-01-01' + CAST(i * 20 AS INTEGER), CAST(i AS VARCHAR), i, i, i / 100.0,
       TIMESTAMP '2026-01-01 00:00:00' + INTERVAL (i) HOUR
FROM range(1, 241) t(i) WHERE i <> 13;
INSERT INTO person VALUES
  (13, 'a city that nobody else has', 'a segment that is not declared', 0, 'nan', DATE '5877642-06-25 (BC)',
   '0x1p9999 %d '' ; -- \ é', -9223372036854775808, -170141183460469231731687303715884105728,
   99999999999999.9999, TIMESTAMP 'infinity');

CREATE TABLE visit (
  visit_id BIGINT PRIMARY KEY,
  id INTEGER,
  page VARCHAR NOT NULL,
  seconds INTEGER,
  amount DOUBLE,
  count64 BIGINT NOT NULL
);
INSERT INTO visit
SELECT j, CASE WHEN 1 + j % 240 = 13 THEN NULL ELSE 1 + j % 240 END, '/p' || (j % 4), j % 300,
       (j % 97) / 3.0, j
FROM range(0, 2400) t(j);
INSERT INTO visit
SELECT 10000 + j, 13, CASE WHEN j % 2 = 0 THEN '/p0' ELSE '/only' || j END,
       CASE WHEN j % 3 = 0 THEN 0 WHEN j % 3 = 1 THEN 2147483647 END,
       CASE j % 4 WHEN 0 THEN 'infinity' WHEN 1 THEN '-infinity' WHEN 2 THEN 'nan' ELSE '-1e308' END :: DOUBLE,
       CASE WHEN j % 2 = 0 THEN 9223372036854775807 ELSE -9223372036854775808 END
FROM range(0, 1000) t(j);

CREATE TABLE line (visit_id BIGINT, product VARCHAR NOT NULL, quantity INTEGER NOT NULL);
INSERT INTO line SELECT visit_id, ['tea', 'rice'][1 + visit_id % 2], 1 + visit_id % 9 FROM visit;
