-- The ends of each type that every engine has, columns of NULL alone, tables and groups without rows.
CREATE TABLE edge (
  person_id BIGINT PRIMARY KEY,
  big BIGINT, small INTEGER, short SMALLINT, wide DECIMAL(38, 0), fine DECIMAL(38, 38), d DOUBLE,
  day DATE, moment TIMESTAMP, side VARCHAR NOT NULL,
  no_number INTEGER, no_double DOUBLE, no_decimal DECIMAL(38, 0), no_text VARCHAR, no_day DATE, no_flag BOOLEAN
);
-- Units at the ends too; of each five people two have the least value, two the greatest and one has none.
INSERT INTO edge SELECT CASE WHEN i = 0 THEN -9223372036854775808 WHEN i = 1 THEN 9223372036854775807 ELSE i END,
  CASE WHEN i % 5 < 2 THEN -9223372036854775808 WHEN i % 5 < 4 THEN 9223372036854775807 END,
  CASE WHEN i % 5 < 2 THEN -2147483648 WHEN i % 5 < 4 THEN 2147483647 END,
  CASE WHEN i % 5 < 2 THEN -32768 WHEN i % 5 < 4 THEN 32767 END,
  CASE WHEN i % 5 < 2 THEN '-' || repeat('9', 38) WHEN i % 5 < 4 THEN repeat('9', 38) END::DECIMAL(38, 0),
  CASE WHEN i % 5 < 2 THEN '-0.' || repeat('9', 38) WHEN i % 5 < 4 THEN '0.' || repeat('9', 38) END::DECIMAL(38, 38),
  CASE WHEN i % 5 < 2 THEN -1.7976931348623157e308 WHEN i % 5 = 2 THEN 5e-324 WHEN i % 5 = 3 THEN -0.0::DOUBLE END,
  CASE WHEN i % 5 < 2 THEN DATE '0001-01-01' WHEN i % 5 < 4 THEN DATE '9999-12-31' END,
  CASE WHEN i % 5 < 2 THEN TIMESTAMP '0001-01-01 00:00:00' WHEN i % 5 < 4 THEN TIMESTAMP '9999-12-31 23:59:59.999999' END,
  ['low', 'low', 'high', 'high', 'none'][1 + i % 5],
  NULL, NULL, NULL, NULL, NULL, NULL
FROM range(0, 50) t(i);

CREATE TABLE nothing (person_id BIGINT, kind VARCHAR, n INTEGER, price DOUBLE);
CREATE TABLE no_place (name VARCHAR PRIMARY KEY);
