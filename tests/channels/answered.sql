-- Questions that are answered, whatever the rows hold. Each tempts a row to make a difference:
-- to fail, to overflow, to bring a key of its own, to take a path of its own.
SELECT count(*) FROM person;
SELECT count(*), sum(age), avg(age), var_pop(age), stddev_samp(age) FROM person;
SELECT count(DISTINCT id), count(DISTINCT city), count(DISTINCT note) FROM person;
SELECT segment, count(*) FROM person GROUP BY segment;
SELECT segment, avg(score), count(score) FROM person GROUP BY segment;
SELECT city, count(*) FROM person GROUP BY city;
SELECT city, segment, sum(price) FROM person GROUP BY city, segment;
SELECT page, count(*), sum(seconds) FROM visit GROUP BY page;
SELECT count(*) FROM person WHERE id = 13;
SELECT count(*), avg(age) FROM person WHERE id = 13 AND id = 14;
SELECT avg(age) FROM person WHERE city = 'a city that nobody else has';
SELECT count(*) FROM visit WHERE id = 13;
-- division
SELECT count(*) FROM person WHERE 100 / age > 1;
SELECT sum(100 / age, 0, 100) FROM person;
SELECT sum(1 / CASE WHEN age = 0 THEN 0 ELSE 1 END, 0, 1) FROM person;
SELECT count(*) FROM visit WHERE 10 % seconds = 1;
SELECT sum(amount / seconds, -5, 5) FROM visit;
SELECT count(*) FROM person WHERE mod(big, age) = 0;
SELECT count(*) FROM person WHERE div(big, -1) > 0;
-- overflow
SELECT count(*) FROM person WHERE big - 1 < big;
SELECT count(*) FROM person WHERE abs(big) > 5;
SELECT count(*) FROM person WHERE -big > 0;
SELECT count(*) FROM person WHERE big * big > 100;
SELECT count(*) FROM visit WHERE count64 + count64 > 0;
SELECT sum(count64, 0, 1000) FROM visit;
SELECT sum(huge, -100, 100) FROM person;
SELECT count(*) FROM person WHERE huge < 0;
SELECT avg(big, 0, 300) FROM person;
SELECT count(*) FROM person WHERE gcd(big, 12) = 4;
SELECT count(*) FROM person WHERE lcm(big, 7) > 100;
SELECT sum(big % 10, 0, 9) FROM person;
SELECT count(*) FROM person WHERE price * 1e300 > 1e305;
SELECT count(*) FROM person WHERE exp(big) > 5;
SELECT count(*) FROM person WHERE power(score, big) > 5;
-- numbers that are none
SELECT sum(score), avg(score), stddev_pop(score) FROM person;
SELECT sum(amount), avg(amount), var_samp(amount) FROM visit;
SELECT count(*) FROM person WHERE sqrt(score - 10) > 1;
SELECT count(*) FROM person WHERE ln(score - 10) > 1;
SELECT count(*) FROM person WHERE log(score, 10) > 1;
SELECT count(*) FROM person WHERE asin(score) > 0;
SELECT count(*) FROM person WHERE acosh(score - 40) > 0;
SELECT count(*) FROM visit WHERE sin(amount) > 0;
SELECT count(*) FROM visit WHERE tan(amount) > 0;
SELECT count(*) FROM visit WHERE floor(amount) = 3;
SELECT count(*) FROM visit WHERE round(amount, 2) = 3;
SELECT count(*) FROM visit WHERE amount = amount;
SELECT count(*) FROM visit WHERE amount > 0 OR amount <= 0;
SELECT covar_pop(seconds, amount), corr(seconds, amount) FROM visit;
SELECT regr_slope(seconds, amount), regr_intercept(seconds, amount), regr_r2(seconds, amount) FROM visit;
-- casts
SELECT count(*) FROM person WHERE CAST(note AS INTEGER) > 10;
SELECT sum(CAST(note AS INTEGER), 0, 300) FROM person;
SELECT count(*) FROM person WHERE CAST(note AS DATE) IS NULL;
SELECT count(*) FROM person WHERE CAST(note AS BOOLEAN);
SELECT count(*) FROM person WHERE CAST(big AS INTEGER) > 10;
SELECT count(*) FROM person WHERE CAST(score AS INTEGER) > 10;
SELECT count(*) FROM person WHERE CAST(huge AS BIGINT) > 10;
SELECT count(*) FROM visit WHERE CAST(amount AS BIGINT) > 10;
SELECT count(*) FROM person WHERE CAST(seen AS DATE) > DATE '2026-01-05';
SELECT count(*) FROM person WHERE CAST(born AS VARCHAR) LIKE '19%';
SELECT count(*) FROM person WHERE CAST(seen AS VARCHAR) LIKE '2026%';
-- dates
SELECT count(*) FROM person WHERE extract(year FROM born) > 1970;
SELECT count(*) FROM person WHERE extract(month FROM seen) = 1;
SELECT count(*) FROM person WHERE born + INTERVAL '1 month' > DATE '1970-01-01';
SELECT count(*) FROM person WHERE seen - INTERVAL '1 day' > TIMESTAMP '2026-01-03 00:00:00';
SELECT count(*) FROM person WHERE date_trunc('month', seen) = TIMESTAMP '2026-01-01 00:00:00';
SELECT extract(year FROM born), count(*) FROM person GROUP BY extract(year FROM born);
-- text
SELECT count(*) FROM person WHERE substring(note FROM 2 FOR 3) = '1';
SELECT count(*) FROM person WHERE upper(note) = lower(note);
SELECT count(*) FROM person WHERE note LIKE '%1%';
SELECT count(*) FROM person WHERE length(note || note) > 3;
SELECT count(*) FROM person WHERE position('1' IN note) > 0;
SELECT note, count(*) FROM person GROUP BY note;
-- relations
SELECT count(*) FROM person p JOIN visit v ON p.id = v.id WHERE v.count64 * p.big > 0;
SELECT p.city, sum(v.seconds) FROM person p JOIN visit v ON p.id = v.id GROUP BY p.city;
SELECT count(*) FROM person p LEFT JOIN visit v ON p.id = v.id;
SELECT product, sum(quantity) FROM line GROUP BY product;
SELECT c.country, count(*) FROM person p JOIN city c ON c.name = p.city GROUP BY c.country;
SELECT count(*) FROM person p WHERE EXISTS (SELECT 1 FROM visit v WHERE v.id = p.id AND v.seconds = 0);
SELECT count(*) FROM (SELECT id, sum(count64) AS s FROM visit GROUP BY id) t WHERE s > 0;
SELECT n, count(*) FROM (SELECT id, count(*) AS n FROM visit GROUP BY id) t GROUP BY n;
SELECT avg(n, 0, 20) FROM (SELECT id, count(*) AS n FROM visit GROUP BY id) t;
SELECT sum(least(n, 50), 0, 50) FROM (SELECT id, max(seconds) AS n FROM visit GROUP BY id) t;
SELECT count(*) FROM person WHERE age > (SELECT avg(age) FROM person);
SELECT a.n - b.n FROM (SELECT count(*) AS n FROM person) a, (SELECT count(*) AS n FROM visit) b;
SELECT segment, count(*) AS n FROM person GROUP BY segment HAVING count(*) > 10 ORDER BY n DESC LIMIT 1;
-- above the door
SELECT count(*) / (count(*) - count(*)) FROM person;
SELECT sum(age) / count(*), sqrt(count(*) - 500), ln(0 * count(*)) FROM person;
SELECT segment, n, sum(n) OVER () FROM (SELECT segment, count(*) AS n FROM person GROUP BY segment) t;
SET dp.epsilon = 0.25;
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, max_groups_contributed = 1) page, count(*) FROM visit GROUP BY page;
SELECT PRIVATE_QUERY OPTIONS (EPSILON = 1, MIN_FREQUENCY = 20, CONTRIBUTION_BOUND = 5) sum(amount) FROM visit;
SET dp.min_frequency = 1000;
SELECT city, count(*) FROM person GROUP BY city;
SELECT count(*), sum(age) FROM person;
