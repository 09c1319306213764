-- Ten million rows each, of 1,000 to 10,000,000 units in random order, with a key of ten values.
CREATE TEMP MACRO random_word(i, stream) AS hash(4 * i + stream);
CREATE TABLE events1000 (
  unit BIGINT NOT NULL, amount DECIMAL(9, 2) NOT NULL, key10 INTEGER NOT NULL);
INSERT INTO events1000
SELECT random_word(i, 0) % 1000, (random_word(i, 1) % 10001) / 100, random_word(i, 2) % 10
FROM range(10000000) AS numbers(i);
CREATE TABLE events10000 (
  unit BIGINT NOT NULL, amount DECIMAL(9, 2) NOT NULL, key10 INTEGER NOT NULL);
INSERT INTO events10000
SELECT random_word(i, 0) % 10000, (random_word(i, 1) % 10001) / 100, random_word(i, 2) % 10
FROM range(10000000) AS numbers(i);
CREATE TABLE events100000 (
  unit BIGINT NOT NULL, amount DECIMAL(9, 2) NOT NULL, key10 INTEGER NOT NULL);
INSERT INTO events100000
SELECT random_word(i, 0) % 100000, (random_word(i, 1) % 10001) / 100, random_word(i, 2) % 10
FROM range(10000000) AS numbers(i);
CREATE TABLE events1000000 (
  unit BIGINT NOT NULL, amount DECIMAL(9, 2) NOT NULL, key10 INTEGER NOT NULL);
INSERT INTO events1000000
SELECT random_word(i, 0) % 1000000, (random_word(i, 1) % 10001) / 100, random_word(i, 2) % 10
FROM range(10000000) AS numbers(i);
CREATE TABLE events10000000 (
  unit BIGINT NOT NULL, amount DECIMAL(9, 2) NOT NULL, key10 INTEGER NOT NULL);
INSERT INTO events10000000
SELECT random_word(i, 0) % 10000000, (random_word(i, 1) % 10001) / 100, random_word(i, 2) % 10
FROM range(10000000) AS numbers(i);
CHECKPOINT;
