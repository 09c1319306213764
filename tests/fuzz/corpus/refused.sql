SELECT sum(big) FROM orders

SELECT avg(big + 1) FROM orders

SELECT sum(age, 5, 5) FROM customer

SELECT sum(age, 10, 0) FROM customer

SELECT sum(age, 0, balance) FROM customer

SELECT sum(age, lower => 0, lower => 5) FROM customer

SELECT sum(age, 0, 1e308) FROM customer

SELECT sum(age, -1e200, 1e200) FROM customer

SELECT sum(age, 0, 'NaN') FROM customer

SELECT sum(age, -50, 100) FROM customer

SELECT avg(age, 0, 101) FROM customer

SELECT sum(big, 0, 1e160) FROM orders

SET dp.epsilon = 99

SET dp.epsilon = 1e-320

SET dp.delta = 0.5

SET dp.min_frequency = 5

SELECT count(*) FROM customer; SELECT sum(age) FROM customer; SELECT avg(age) FROM customer

SET dp.epsilon = 1.0; SET dp.delta = 1e-6; SELECT count(*) FROM customer

SELECT count(*) FROM customer

SET dp.max_groups_contributed = 3

SELECT count(*) FROM orders

SET dp.contribution_bound = 10; SELECT ordered, count(*) FROM orders GROUP BY ordered

SET dp.contribution_bound = 1000000; SET dp.epsilon = 1e-6; SET dp.delta = 1e-12; SELECT count(*) FROM orders

SELECT PRIVATE_QUERY OPTIONS (EPSILON=0) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=-0.5) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=3) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=banana) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (DELTA=1) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (DELTA=-1e-7) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=0) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=2.5) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=9) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (CONTRIBUTION_BOUND=0) COUNT(*) FROM orders

SELECT PRIVATE_QUERY OPTIONS (CONTRIBUTION_BOUND=1e9) COUNT(*) FROM orders

SELECT PRIVATE_QUERY OPTIONS (CONTRIBUTION_BOUND=all) COUNT(*) FROM orders

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQENCY=5) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1, EPSILON=1) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=5, min_privacy_units_per_group=5) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (PRIVACY_UNIT_COLUMN=order_id) COUNT(*) FROM orders

SELECT PRIVATE_QUERY OPTIONS EPSILON=1 COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS FROM customer

SELECT count(*) FROM (SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) age FROM customer) t

ALTER PRIVATE_TABLE customer OPTIONS (PRIVACY_UNIT_COLUMN = customer_id)

alter private_table "orders" options(privacy_unit_column='customer_id'); SELECT count(*) FROM customer

ALTER PRIVATE_TABLE visit OPTIONS (PRIVACY_UNIT_COLUMN = visit.who)

ALTER PRIVATE_TABLE orders OPTIONS (PRIVACY_UNIT_COLUMN = order_id)

ALTER PRIVATE_TABLE item OPTIONS (PRIVACY_UNIT_COLUMN = order_id)

ALTER PRIVATE_TABLE city OPTIONS (PRIVACY_UNIT_COLUMN = name)

ALTER PRIVATE_TABLE secret OPTIONS (PRIVACY_UNIT_COLUMN = customer_id)

ALTER PRIVATE_TABLE custmer OPTIONS (PRIVACY_UNIT_COLUMN = customer_id)

ALTER PRIVATE_TABLE customer OPTIONS (EPSILON = 1)

ALTER PRIVATE_TABLE customer OPTIONS ()

ALTER PRIVATE_TABLE customer OPTIONS (PRIVACY_UNIT_COLUMN = customer_id, PRIVACY_UNIT_COLUMN = name)

ALTER PRIVATE_TABLE customer SET (PRIVACY_UNIT_COLUMN = customer_id)

ALTER PRIVATE_TABLE OPTIONS (PRIVACY_UNIT_COLUMN = customer_id)

ALTER PRIVATE_TABLE customer OPTIONS (PRIVACY_UNIT_COLUMN = customer_id) SELECT 1

SELECT 1 ALTER PRIVATE_TABLE customer OPTIONS (PRIVACY_UNIT_COLUMN = customer_id)

EXPLAIN (DP) ALTER PRIVATE_TABLE customer OPTIONS (PRIVACY_UNIT_COLUMN = customer_id)

SELECT count(*) FROM customer WHERE abs(city) > 1

SELECT count(*) FROM customer WHERE absolute(age) > 1

SELECT count(*) FROM customer WHERE lowre(city) = 'x'

SELECT count(*) FROM customer WHERE round(balance, age) > 1

SELECT count(*) FROM customer WHERE repeat(city, 1000000) = 'x'

SELECT count(*) FROM customer WHERE repeat(city, age) = 'x'

SELECT count(*) FROM customer WHERE substring(city, -1, 3) = 'x'

SELECT count(*) FROM customer WHERE extract(parsec FROM born) = 1

SELECT count(*) FROM customer WHERE extract(hour FROM born) = 1

SELECT count(*) FROM customer WHERE city ~ '(a+)\1'

SELECT count(*) FROM customer WHERE city ~ '\d+'

SELECT count(*) FROM customer WHERE city ~ segment

SELECT count(*) FROM customer WHERE city SIMILAR TO 'a%'

SELECT count(*) FROM customer WHERE city LIKE 'a\'

SELECT count(*) FROM customer WHERE city LIKE 'a' ESCAPE 'xy'

SELECT count(*) FROM customer WHERE CAST(score AS text) = '1'

SELECT count(*) FROM customer WHERE CAST(age AS interval) IS NULL

SELECT count(*) FROM customer WHERE CAST(age AS decimal(99,2)) = 1

SELECT count(*) FROM customer WHERE born + INTERVAL '1 fortnight' > '2026-01-01'

SELECT count(*) FROM customer WHERE coalesce(age, city) = 1

SELECT count(*) FROM customer WHERE CASE WHEN active THEN age ELSE city END = 1

SELECT count(*) FROM customer WHERE coalesce(NULL, NULL) IS NULL

SELECT count(*) FROM customer WHERE width_bucket(age, 10, 5, 3) = 1

SELECT count(*) FROM customer WHERE pg_catalog.lower(city) = 'x'

SELECT count(*) FROM customer WHERE "extract year"(born) = 1

SELECT count(*) FROM customer WHERE clock_timestamp() > born

SELECT count(*) FROM customer WHERE (((((age IN (1,2,3,4,5,6,7,8)) IN (TRUE,FALSE,TRUE,FALSE,TRUE,FALSE,TRUE,FALSE)) IN (TRUE,FALSE,TRUE,FALSE,TRUE,FALSE,TRUE,FALSE)) IN (TRUE,FALSE,TRUE,FALSE,TRUE,FALSE,TRUE,FALSE)) IN (TRUE,FALSE,TRUE,FALSE,TRUE,FALSE,TRUE,FALSE)) IN (TRUE,FALSE)

SELECT count(*) FROM customer WHERE pg_sleep(1) IS NULL

SELECT count(*) FROM customer WHERE random() < 1

SELECT query_to_xml('select 1', true, true, '') FROM customer

SELECT max(age) FROM customer

SELECT sum() FROM customer

SELECT sum(*) FROM customer

SELECT count(age, 1) FROM customer

SELECT avg(age, 1) FROM customer

SELECT count(*) FROM customer WHERE count(*) > 3

SELECT city, count(*) FROM customer GROUP BY city, count(*)

SELECT sum(sum(age)) FROM customer

SELECT count(*) + 1 FROM customer

SELECT set_config('dp.epsilon', '99', false), count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=-1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1e20) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1e308) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1e-320) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1e999) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon='0x1p4') count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0x10) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=inf) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=CAST('Inf' AS DOUBLE PRECISION)) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=NaN) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=NULL) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1+1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=$1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(delta=0) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(delta=1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(delta=0.001) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=0) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=-1) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=1000000000) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=2.5) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=NULL) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=3) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_rows_contributed=0) count(*) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_rows_contributed=NULL) count(*) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(min_privacy_units_per_group=5) segment, count(*) FROM customer GROUP BY segment

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, privacy_unit_column=order_id) count(*) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column=customer_id) sum(quantity) FROM item

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column=x.customer_id) count(*) FROM customer c

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column=name) count(*) FROM city

SET dp.privacy_unit_column = customer_id

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(group_selection_strategy=LAPLACE_THRESHOLD) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, group_selection_strategy=PUBLIC_GROUPS) segment, count(*) FROM customer GROUP BY segment

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(group_selection_strategy=BEST) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilom=1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups=1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(banana=1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, delta=1e-7, epsilon=0.5) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(contribution_bound=5, max_rows_contributed=5) count(*) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1,) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon => 1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(=1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS("epsilon"=1) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1 count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) WITH DIFFERENTIAL_PRIVACY count(*) FROM customer

SELECT DISTINCT WITH DIFFERENTIAL_PRIVACY count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVCY OPTIONS(epsilon=1) count(*) FROM customer

SELECT WITH AGGREGATION_THRESHOLD OPTIONS(threshold=50) count(*) FROM customer

SELECT sum(n) FROM (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) city, count(*) AS n FROM customer GROUP BY city) t

WITH t AS (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) city, count(*) AS n FROM customer GROUP BY city) SELECT sum(n) FROM t

SELECT WITH DIFFERENTIAL_PRIVACY count(*) FROM customer UNION ALL SELECT WITH DIFFERENTIAL_PRIVACY count(*) FROM orders

SELECT age select WITH DIFFERENTIAL_PRIVACY FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon='0.5') '東京', sum(agee) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) sum(age) FROM customer WHERE )

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1)

SELECT count(*)
FROM customer c
JOIN orders o ON c.age = o.customer_id

SELECT count(*) FROM customer, orders

SELECT count(*) FROM customer c CROSS JOIN orders o

SELECT count(*) FROM customer c JOIN orders o ON c.customer_id < o.customer_id

SELECT count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id OR c.active

SELECT count(*) FROM customer c JOIN orders o ON c.customer_id + 0 = o.customer_id

SELECT count(*) FROM customer c JOIN orders o ON NOT c.customer_id = o.customer_id

SELECT count(*) FROM item a JOIN item b ON a.line = b.line

SELECT count(*) FROM item i JOIN orders o ON i.order_id = o.big

SELECT count(*) FROM customer c JOIN visit v ON TRUE

SELECT count(*) FROM orders a JOIN orders b ON a.order_id = b.order_id

SELECT count(*) FROM orders a, orders b, orders c WHERE a.customer_id = b.customer_id AND a.customer_id = c.customer_id

SELECT count(*) FROM customer CROSS JOIN city a CROSS JOIN city b

SELECT count(*) FROM zchild ch JOIN (SELECT age AS a, id AS cid FROM customer) d ON ch.cid = d.a

SELECT count(DISTINCT d.f) FROM (SELECT o.amt AS f FROM orders o WHERE o.cid = o.amt) d

SELECT n, count(*) FROM (SELECT o.amt AS f, count(*) AS n FROM orders o WHERE o.cid = o.amt GROUP BY o.amt) d GROUP BY n

SELECT n, count(*) FROM (SELECT p.u, count(*) AS n FROM customer c JOIN pub p ON c.id = p.u GROUP BY p.u) d GROUP BY n

SELECT x, count(*) FROM (SELECT id + 0 AS x FROM customer) d GROUP BY x

SELECT x, count(*) FROM (SELECT min(id) AS x FROM customer GROUP BY id) d GROUP BY x

SELECT x, count(*) FROM (SELECT c.id, o.cid AS x FROM customer c JOIN orders o ON c.id = o.cid) d GROUP BY x

SELECT x, count(*) FROM (SELECT o.cid AS x FROM customer c LEFT JOIN orders o ON c.id = o.cid) d GROUP BY x

SELECT sum(x, 0, 100) FROM (SELECT id + 0 AS x FROM customer) d

SELECT count(*) FROM customer c WHERE EXISTS (SELECT count(*) + 1 FROM pub p WHERE p.n = c.age)

SELECT count(*) FROM customer c WHERE EXISTS (SELECT nonsense FROM pub p WHERE p.n = c.age)

SELECT count(*) FROM (SELECT id, age AS k FROM customer) c WHERE EXISTS (SELECT 1 FROM pub a, pub b WHERE a.n = c.id AND a.n = k)

SELECT count(*) FROM (SELECT id, 'x' AS secret FROM customer) c WHERE EXISTS (SELECT 1 FROM customer d WHERE d.id = c.id AND d.secret = secret)

WITH a AS (SELECT id FROM customer), a AS (SELECT cid FROM orders) SELECT count(*) FROM a

WITH a1 AS (SELECT x.id FROM customer x JOIN customer y ON x.id = y.id), a2 AS (SELECT x.id FROM a1 x JOIN a1 y ON x.id = y.id), a3 AS (SELECT x.id FROM a2 x JOIN a2 y ON x.id = y.id), a4 AS (SELECT x.id FROM a3 x JOIN a3 y ON x.id = y.id), a5 AS (SELECT x.id FROM a4 x JOIN a4 y ON x.id = y.id), a6 AS (SELECT x.id FROM a5 x JOIN a5 y ON x.id = y.id), a7 AS (SELECT x.id FROM a6 x JOIN a6 y ON x.id = y.id) SELECT count(*) FROM a7

SELECT count(*) FROM person

SELECT count(*) FROM secret

SELECT count(*) FROM custmer

SELECT count(*) FROM main.customer

SELECT count(*) FROM "x.parquet"

SELECT count(*) FROM customer_view

SELECT count(*) FROM duckdb_tables

SELECT count(*) FROM information_schema.tables

SELECT count(*) FROM customer WHERE agee > 3

SELECT count(*) FROM customer c WHERE customer.age > 3

SELECT count(*) FROM customer WHERE rowid = 3

SELECT customer FROM customer

SELECT count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id WHERE customer_id = 3

SELECT count(*) FROM customer WHERE name = 'Customer 7'

SELECT name, count(*) FROM customer GROUP BY name

SELECT count(*) FROM customer JOIN customer ON TRUE

SELECT count(*) FROM city t JOIN customer T ON t.name = T.city

WITH x AS (SELECT count(*) FROM customer) SELECT * FROM x

SELECT count(*) FROM customer UNION SELECT count(*) FROM orders

SELECT DISTINCT city FROM customer

SELECT city, count(*) FROM customer GROUP BY city HAVING count(*) > 3

SELECT city, count(*) FROM customer GROUP BY city ORDER BY 2

SELECT count(*) FROM customer LIMIT 1

SELECT count(*) FROM customer OFFSET 1

SELECT count(*) FROM customer NATURAL JOIN orders

SELECT count(*) FROM customer JOIN orders USING (customer_id)

SELECT count(*) FROM generate_series(1, 10)

SELECT count(*) FROM customer WHERE age > (SELECT avg(age) FROM customer)

SELECT count(*) FROM customer WHERE EXISTS (SELECT 1 FROM orders)

SELECT count(DISTINCT city) FROM customer

SELECT sum(age) FILTER (WHERE active) FROM customer

SELECT count(*) OVER () FROM customer

SELECT city FROM customer GROUP BY city

SELECT city, count(*) FROM customer GROUP BY ROLLUP (city)

SELECT count(*) FROM customer WHERE city LIKE segment

SELECT count(*) FROM customer WHERE age > $1

SELECT count(*) FROM customer c (a, b)

SELECT count(*) FROM customer WHERE (age, age) = (1, 2)

SELECT count(NULL) FROM customer

SELECT count(*) FROM odd WHERE list > 1

SELECT sum(pair, 0, 1) FROM odd

SELECT count(*) FROM odd WHERE nested = 1

SELECT count(*) FROM odd WHERE st = 1

SELECT count(*) FROM odd WHERE en = 'a'

SELECT count(*) FROM odd WHERE tz > '2026-01-01'

SELECT iv, count(*) FROM odd GROUP BY iv

SELECT uid, count(*) FROM odd GROUP BY uid

SELECT count(*) FROM computed

SELECT person_id, count(*) FROM odd GROUP BY person_id

SELECT sum(person_id, 0, 10) FROM odd

SELECT o.tiny, count(*) FROM odd o JOIN person p ON o.person_id = p.id WHERE o.ubig = p.id GROUP BY o.tiny, p.id

SELECT count(* FROM customer

SELEC count(*) FROM customer

DELETE FROM customer

SELECT count(*) INTO x FROM customer

EXPLAIN SELECT count(*) FROM customer

EXPLAIN ANALYZE SELECT count(*) FROM customer

SET search_path = public

SELECT count(*) FROM customer FOR UPDATE

WITH d AS (DELETE FROM customer RETURNING *) SELECT count(*) FROM d

SELECT count(*) FROM customer TABLESAMPLE BERNOULLI (10)

PREPARE p AS SELECT 1

SELECT '東京', count(*) FROM customer WHERE )

SET dp.epsilon = banana

SET dp.epsilon = 0

SET dp.epsilon = -1

SET dp.epsilom = 0.1

SET dp.min_frequency = 2.5

SELECT ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) FROM customer

SELECT count(*) FROM visit

SELECT count(*) FROM city t LEFT JOIN customer c ON c.city = t.name

SELECT count(*) FROM customer c RIGHT JOIN city t ON c.city = t.name

SELECT count(*) FROM customer c FULL JOIN orders o ON c.customer_id = o.customer_id

SELECT count(*) FROM customer c LEFT JOIN orders o ON c.age = o.order_id

SELECT count(*) FROM customer c LEFT JOIN orders o ON c.active JOIN orders p ON p.customer_id = o.customer_id

SELECT o.customer_id, count(*) FROM customer c LEFT JOIN orders o ON c.customer_id = o.customer_id GROUP BY o.customer_id

SELECT count(DISTINCT o.customer_id) FROM customer c LEFT JOIN orders o ON c.customer_id = o.customer_id

SELECT count(*) FROM customer c LEFT JOIN item i ON TRUE

SELECT count(*) FROM (SELECT city, count(*) AS n FROM customer GROUP BY city) c

SELECT count(*) FROM customer c JOIN (SELECT count(*) AS n FROM orders) o ON c.age = o.n

SELECT count(*) FROM (SELECT customer_id FROM customer ORDER BY age LIMIT 10) c

SELECT count(*) FROM (SELECT DISTINCT city FROM customer) c

SELECT count(*) FROM customer c JOIN (SELECT ordered FROM orders) o ON c.born = o.ordered

SELECT count(*) FROM customer WHERE age IN (SELECT quantity FROM item)

SELECT count(*) FROM customer WHERE born IN (SELECT ordered FROM orders)

SELECT count(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.ordered = c.born)

SELECT count(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders)

SELECT count(*) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id)

SELECT count(*) FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM orders)

SELECT count(*) FROM customer WHERE active OR customer_id IN (SELECT customer_id FROM orders)

SELECT count(*) FROM city WHERE name IN (SELECT city FROM customer)

SELECT count(*) FROM (SELECT customer_id, sum(score) AS s FROM customer GROUP BY customer_id) c

SELECT count(*) FROM (SELECT customer_id, avg(age) AS a FROM customer GROUP BY customer_id) c

SELECT count(*) FROM (SELECT DISTINCT customer_id, score FROM customer) c

SELECT count(*) FROM (SELECT customer_id, age FROM customer GROUP BY customer_id) c

SELECT count(*) FROM (SELECT customer_id, customer_id FROM customer) c

SELECT count(*) FROM (SELECT name FROM customer) c

SELECT sum(n) FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o

WITH RECURSIVE r AS (SELECT customer_id FROM customer) SELECT count(*) FROM r

SELECT count(*) FROM customer c, LATERAL (SELECT * FROM orders o WHERE o.customer_id = c.customer_id) l

SELECT count(*) FROM (SELECT a.customer_id FROM orders a JOIN orders b ON a.customer_id = b.customer_id) x JOIN orders y ON x.customer_id = y.customer_id

WITH i AS (SELECT order_id FROM item) SELECT count(*) FROM i JOIN orders o ON i.order_id = o.order_id

SELECT count(*) FROM city WHERE name IN (SELECT name FROM city WHERE country IN (SELECT segment FROM customer))

SELECT * FROM customer

SELECT age FROM customer

SELECT city, age, count(*) FROM customer GROUP BY city

SELECT customer_id, count(*) FROM customer GROUP BY customer_id

SELECT customer_id FROM customer

SELECT customer_id + 0, count(*) FROM customer GROUP BY 1

SELECT sum(customer_id, 0, 10) FROM customer

SELECT count(customer_id) FROM customer

SELECT count(*) FROM city

SELECT 1

SELECT count(*), o.customer_id FROM orders o GROUP BY o.customer_id

SELECT city, count(*) FROM customer GROUP BY 3

SELECT count(*) FROM customer WHERE city = 3

SELECT count(*) FROM customer WHERE age = 'old'

SELECT count(*) FROM customer WHERE born = 'yesterday'

SELECT count(*) FROM customer WHERE born = '2026-02-30'

SELECT count(*) FROM customer WHERE age

SELECT count(*) FROM customer WHERE city + 1 = 2

SELECT count(*) FROM customer WHERE age LIKE 'x'

SELECT sum(city) FROM customer

SELECT score, count(*) FROM customer GROUP BY score

SELECT count(*) FROM customer WHERE age > 1e999

SELECT count(*) FROM customer c JOIN city t ON c.age = t.name
