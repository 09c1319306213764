-- A skewed table: a million visits of 100,000 people to 5,000 shops. The first person has two rows in
-- a hundred and the first hundred people every tenth, while half have six or fewer; shops are as
-- unequal. Who goes often spends more, so cutting the heavy ones off shows in sums and in means.
CREATE TABLE visits (
  person BIGINT NOT NULL, shop INTEGER NOT NULL, kind VARCHAR NOT NULL, spent DECIMAL(9, 2) NOT NULL);
-- One hash of one number: those of pairs that DuckDB makes are not independent.
CREATE TEMP MACRO uniform(i, stream) AS (hash(4 * i + stream) >> 11)::DOUBLE / 9007199254740992.0;
INSERT INTO visits
SELECT person, shop,
  ['bar', 'books', 'clothes', 'food', 'fuel', 'garden', 'health', 'travel'][1 + shop % 8] AS kind,
  round(least(500, -40 * ln(1 - uniform(i, 2)) * (1 + 2 / (1 + person / 200.0))), 2) AS spent
FROM (SELECT i, floor(100000 * pow(uniform(i, 0), 3))::BIGINT AS person,
        floor(5000 * pow(uniform(i, 1), 2.5))::INTEGER AS shop
      FROM range(1000000) AS numbers(i));
CHECKPOINT;
