SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS () COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=0.5, DELTA=1e-7) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON = 0.5, DELTA = 0.0000001, MIN_FREQUENCY = 10) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1, DELTA=1e-7, MIN_FREQUENCY=10, CONTRIBUTION_BOUND=5) COUNT(*) FROM orders

select private_query options (epsilon=1, delta=1e-7) count(*) from customer

Select Private_Query Options(Epsilon=1) segment, Count(*) From customer Group By segment

SELECT
  PRIVATE_QUERY
  OPTIONS (
    EPSILON = 1.0,
    DELTA = 1e-7,
    MIN_FREQUENCY = 5,
    CONTRIBUTION_BOUND = 3
  )
  ordered, COUNT(*) AS n
FROM orders
GROUP BY ordered

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=1) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=2) COUNT(*) FROM customer

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=100) segment, COUNT(*) FROM customer GROUP BY segment

SELECT PRIVATE_QUERY OPTIONS (CONTRIBUTION_BOUND=1) COUNT(*) FROM orders

SELECT PRIVATE_QUERY OPTIONS (CONTRIBUTION_BOUND=10) SUM(amount) FROM orders

SELECT PRIVATE_QUERY OPTIONS (CONTRIBUTION_BOUND=1000) SUM(amount) FROM orders

SELECT PRIVATE_QUERY OPTIONS (EPSILON=0.1, CONTRIBUTION_BOUND=10) COUNT(*) FROM orders

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1, CONTRIBUTION_BOUND=4) SUM(quantity) FROM item

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) SUM(age) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) AVG(age) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) COUNT(age), SUM(age), AVG(age) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) COUNT(DISTINCT customer_id) FROM orders

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) SUM(age, 18, 90) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) SUM(age, lower => 18, upper => 90) FROM customer

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) city, AVG(balance) FROM customer WHERE active GROUP BY city

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1, MIN_FREQUENCY=5, CONTRIBUTION_BOUND=5) c.segment, SUM(o.amount) FROM customer c JOIN orders o ON c.customer_id = o.customer_id GROUP BY c.segment

SELECT PRIVATE_QUERY OPTIONS (MIN_FREQUENCY=10) city, COUNT(*) FROM customer GROUP BY city

SELECT PRIVATE_QUERY OPTIONS (EPSILON=2, DELTA=1e-6, MIN_FREQUENCY=25) city, COUNT(*) FROM customer GROUP BY city

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1, max_groups_contributed=2) ordered, COUNT(*) FROM orders GROUP BY ordered

SELECT PRIVATE_QUERY OPTIONS (EPSILON=1, PRIVACY_UNIT_COLUMN=customer_id) COUNT(*) FROM customer

SET dp.min_frequency = 20; EXPLAIN (DP) SELECT PRIVATE_QUERY OPTIONS (EPSILON=1) COUNT(*) FROM customer

SET dp.contribution_bound = 9; EXPLAIN (DP) SELECT PRIVATE_QUERY OPTIONS (CONTRIBUTION_BOUND=3) COUNT(*) FROM orders; EXPLAIN (DP) SELECT count(*) FROM orders

SELECT PRIVATE_QUERY /* not OPTIONS (EPSILON=9) */ OPTIONS (EPSILON=1) COUNT(*) FROM customer

SELECT sum(extract(month FROM ordered)) FROM orders

SELECT sum(greatest(balance, 0) / 10 + 1) FROM customer

SELECT avg(CASE WHEN active THEN age ELSE 0 END) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS() count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0.5) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0.5, delta=1e-8) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = .5, delta = .000001) count(*) FROM customer

select with differential_privacy options(EPSILON=1., Delta=1E-7) count(*) from customer

SELECT
  WITH DIFFERENTIAL_PRIVACY
    OPTIONS(
      epsilon = 2,
      delta = 1e-7)
  segment, count(*) AS n
FROM customer
GROUP BY segment

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0.5, delta=1e-7, privacy_unit_column=customer_id) count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column=c.customer_id) count(*) FROM customer AS c

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column=CUSTOMER_ID) sum(age) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column="customer_id") sum(age) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, privacy_unit_column=customer_id) sum(amount) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(privacy_unit_column=o.customer_id, epsilon=1) c.segment, sum(o.amount) FROM customer c JOIN orders o ON c.customer_id = o.customer_id GROUP BY c.segment

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=2) city, count(*) FROM orders JOIN customer ON orders.customer_id = customer.customer_id GROUP BY city

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, delta=1e-7, max_groups_contributed=1) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, delta=1e-7, max_groups_contributed=3) ordered, sum(amount) AS total FROM orders GROUP BY ordered

SELECT WITH ANONYMIZATION OPTIONS(epsilon=1, delta=1e-7, kappa=4) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH ANONYMIZATION count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_rows_contributed=5) count(*) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=2, delta=1e-7, max_rows_contributed=1) sum(amount) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_rows_contributed=1000) count(*) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_rows_contributed=5, max_groups_contributed=2) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(min_privacy_units_per_group=20) segment, count(*) FROM customer GROUP BY segment

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, delta=1e-7, min_privacy_units_per_group=50, max_groups_contributed=2) ordered, count(*) FROM orders GROUP BY ordered

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) count(*), count(age), sum(age), avg(age) FROM customer WHERE active

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) count(DISTINCT customer_id) FROM orders

SELECT /* WITH DIFFERENTIAL_PRIVACY */ WITH -- OPTIONS(epsilon=9)
  DIFFERENTIAL_PRIVACY OPTIONS(/* 9 */ epsilon=0.5 -- not 9
  ) count(*) FROM customer WHERE city <> 'SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=9)'

SET dp.epsilon = 0.25; EXPLAIN (DP) SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=2) count(*) FROM customer; EXPLAIN (DP) SELECT count(*) FROM customer

SET dp.max_rows_contributed = 7; EXPLAIN (DP) SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) count(*) FROM orders

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(min_privacy_units_per_group=11) city, count(*) FROM customer GROUP BY city

(SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0.5) count(*) FROM customer)

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon='0.5') count(*) FROM customer

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=+0.5) count(*) FROM customer

SELECT city, count(*) FROM customer GROUP BY city

SELECT segment, count(*), avg(balance) FROM customer GROUP BY segment

SELECT segment, count(*) FROM customer GROUP BY segment

SELECT ordered, count(*), sum(amount) FROM orders GROUP BY ordered

SET dp.max_groups_contributed = 1; EXPLAIN (DP) SELECT ordered, count(*) FROM orders GROUP BY ordered

SELECT city, segment, count(*) FROM customer GROUP BY 1, segment

SELECT active AND age > 30 AS adult, count(*) FROM customer GROUP BY adult

SELECT c.city, avg(o.amount) FROM customer c JOIN orders o ON c.customer_id = o.customer_id WHERE o.ordered >= '2026-02-01' GROUP BY c.city

SELECT product, count(*) FROM item GROUP BY product

SELECT i.product, count(*) FROM item i JOIN orders o ON i.order_id = o.order_id GROUP BY i.product

SELECT t.country, count(*) FROM customer c JOIN city t ON c.city = t.name GROUP BY t.country

SELECT t.country, count(*) FROM customer c CROSS JOIN city t GROUP BY t.country

SELECT count(*) FROM visit

SET dp.contribution_bound = 7; EXPLAIN (DP) SELECT count(*) FROM orders

SET dp.contribution_bound = 700; EXPLAIN (DP) SELECT count(*) FROM orders

SELECT count(*) FROM customer

SELECT count(age), sum(age), avg(age) FROM customer

SELECT sum(balance) FROM customer

SELECT count(*), avg(balance) FROM customer

SELECT count(*), avg(age) FROM customer

SELECT count(DISTINCT customer_id), count(*) FROM orders

SELECT sum(age, 18, 67), sum(age) FROM customer WHERE age >= 18 AND active

SET dp.epsilon = 0.25; SET dp.delta = 1e-8; EXPLAIN (DP) SELECT count(*) FROM customer

SELECT city, count(*) FROM (SELECT city, age FROM customer WHERE active) c WHERE age > 30 GROUP BY city

SELECT n, count(*) FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o GROUP BY n

SELECT count(*) FROM customer WHERE customer_id IN (SELECT customer_id FROM orders WHERE amount > 600)

SELECT t.country, count(*) FROM customer c LEFT JOIN city t ON c.city = t.name GROUP BY t.country

SELECT c.city, avg(o.amount) FROM customer c LEFT JOIN orders o ON c.customer_id = o.customer_id GROUP BY c.city
