-- Columns of every type that DuckDB stores, with their extremes; links whose key is the unit.
CREATE TABLE person (id INTEGER PRIMARY KEY, town VARCHAR);
INSERT INTO person SELECT i, 't' || i % 3 FROM range(0, 30) t(i);

CREATE TABLE odd (
  person_id INTEGER,
  list DECIMAL(3, 1)[], pair DECIMAL(4, 1)[2], nested DOUBLE[][], st STRUCT(a INTEGER), mp MAP(INTEGER, INTEGER),
  blob BLOB, tm TIME, iv INTERVAL, en ENUM ('a', 'b'), uid UUID, bits BIT,
  tiny TINYINT, ubig UBIGINT, huge HUGEINT, uhuge UHUGEINT, small_dec DECIMAL(4, 2), wide_dec DECIMAL(38, 10),
  f FLOAT, d DOUBLE, day DATE, ts TIMESTAMP, tz TIMESTAMPTZ, txt VARCHAR
);
INSERT INTO odd SELECT i,
  [1.5], [1.5, 2.5], [[1.0]], {'a': i}, MAP {i: i},
  'x'::BLOB, TIME '10:00', INTERVAL 1 MONTH, 'a', uuid(), '101'::BIT,
  CASE WHEN i % 2 = 0 THEN -128 ELSE 127 END, 18446744073709551615, 170141183460469231731687303715884105727,
  340282366920938463463374607431768211455, 99.99, 9999999999999999999999999999.9999999999,
  CASE WHEN i % 3 = 0 THEN 'nan' WHEN i % 3 = 1 THEN 'inf' ELSE '3.4e38' END::FLOAT,
  CASE WHEN i % 3 = 0 THEN 'nan' WHEN i % 3 = 1 THEN '-inf' ELSE '1.7e308' END::DOUBLE,
  CASE WHEN i % 2 = 0 THEN DATE 'infinity' ELSE DATE '5877642-06-25 (BC)' END,
  CASE WHEN i % 2 = 0 THEN TIMESTAMP '-infinity' ELSE TIMESTAMP '294247-01-10 04:00:54' END,
  now(), chr(128512) || repeat('x', i * 100)
FROM range(0, 30) t(i);

-- Days that differ in their era alone.
CREATE TABLE ancient (person_id INTEGER, day DATE, moment TIMESTAMP);
INSERT INTO ancient SELECT i,
  CASE WHEN i % 3 = 0 THEN DATE '0044-03-15 (BC)' ELSE DATE '0044-03-15' END,
  CASE WHEN i % 3 = 0 THEN TIMESTAMP '0044-03-15 (BC) 10:00:00.5' ELSE TIMESTAMP '0044-03-15 10:00:00.5' END
FROM range(0, 30) t(i);

CREATE TABLE computed (person_id INTEGER, b VARCHAR, a INTEGER GENERATED ALWAYS AS (CAST(b AS INTEGER)) VIRTUAL);
