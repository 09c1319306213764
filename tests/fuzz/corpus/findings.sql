SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1)

SELECT 1 UNION SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) LIMIT 1

SELECT (SELECT PRIVATE_QUERY OPTIONS (x=1)) FROM customer

SELECT interval '1 2' day to hour, interval(3) '1', interval '1' second (2)

SELECT - 'a', -(NULL), -((TRUE)) = b, CASE WHEN a THEN -'x' END FROM t

SELECT count(*) FROM customer WHERE born = -'2026-02-30'

WITH t3 AS (SELECT t1.name AS g, count(*) AS n FROM customer t1 GROUP BY t1.name) SELECT count(*) FROM customer

WITH t2 AS (SELECT nothing FROM nowhere) SELECT count(*) FROM customer

SELECT $2147483648, $0, $4294967297, $65535

SELECT count(*) FROM (SELECT customer_id, max(*) AS m FROM orders GROUP BY customer_id) o

SELECT count(*) FROM octet_length(city)

SELECT 'it COLLATE "RE', 'a'
  'b' - city

SELECT concat(*) FROM customer WHERE CAST(age AS decimal( 9,2)) = 1

SELECT concat(DISTINCT age), concat(city ORDER BY age) FROM customer

SELECT "coalesce"(*) FROM customer

SELECT "greatest"() FROM customer

SELECT "max text"(*) FROM customer

SELECT sqrt(age) FILTER (WHERE age > 1) FROM customer

SELECT lower(city) OVER (ORDER BY age) FROM customer
