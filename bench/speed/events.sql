-- Ten million rows of a million units, with keys of 10 to 1,000,000 values. A unit has about ten
-- rows, in random order and in random groups.
CREATE TABLE events (
  unit BIGINT NOT NULL, amount DECIMAL(9, 2) NOT NULL, key10 INTEGER NOT NULL,
  key100 INTEGER NOT NULL, key1000 INTEGER NOT NULL, key10000 INTEGER NOT NULL,
  key100000 INTEGER NOT NULL, key1000000 INTEGER NOT NULL);
INSERT INTO events
SELECT hash(i, 0) % 1000000, (hash(i, 1) % 10001) / 100, hash(i, 2) % 10, hash(i, 3) % 100,
  hash(i, 4) % 1000, hash(i, 5) % 10000, hash(i, 6) % 100000, hash(i, 7) % 1000000
FROM range(10000000) AS numbers(i);
CHECKPOINT;
