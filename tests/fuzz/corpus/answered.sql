SELECT count(*) FROM customer

SELECT count(*), count(age), count(DISTINCT customer_id) FROM customer

SELECT count(*), count(score) FROM customer

SELECT count(*), count(DISTINCT customer_id) FROM orders

SELECT city, count(*) AS n FROM customer GROUP BY city

SELECT segment, count(*) FROM customer GROUP BY segment

SELECT active, count(*), count(DISTINCT customer_id) FROM customer GROUP BY active

SELECT city, active, count(*) FROM customer GROUP BY 1, 2

SELECT born, count(*) FROM customer WHERE born < '1950-02-01' GROUP BY born

SELECT count(*) FROM empty_table

SELECT value, count(*) FROM empty_table GROUP BY value

SELECT count(*) FROM customer WHERE 1 = 0

SELECT segment, count(*) FROM customer WHERE customer_id = 0 GROUP BY segment

SELECT balance, count(*) FROM customer WHERE balance > -20 AND balance < 60 GROUP BY balance

SELECT count(*) FROM customer WHERE age / 10 = 3

SELECT count(*) FROM customer WHERE age % 7 = 2 AND mod(age, 2) = 0

SELECT age / 10, count(*) FROM customer GROUP BY age / 10

SELECT sum(abs(balance)) FROM customer

SELECT sum(round(balance)), sum(floor(balance)), sum(ceil(balance)), sum(trunc(balance)) FROM customer

SELECT count(age / 0), count(age % (age - age)) FROM customer

SELECT count(sqrt(balance)), count(ln(balance)) FROM customer

SELECT count(big + 1) FROM orders WHERE big = 9223372036854775807

SELECT count(abs(big)) FROM orders WHERE big < -1000000

SELECT sum(greatest(balance, 0)), sum(least(balance, 100)) FROM customer

SELECT sum(width_bucket(age, 20, 60, 4)) FROM customer

SELECT sum(CASE WHEN active THEN 1 ELSE 0 END) FROM customer

SELECT sum(CASE city WHEN 'Paris' THEN age WHEN 'Lyon' THEN 2 * age END) FROM customer

SELECT sum(coalesce(age, 50)) FROM customer

SELECT count(nullif(age, 20)), count(nullif(city, 'Paris')) FROM customer

SELECT CAST(balance / 100 AS integer), count(*) FROM customer GROUP BY 1

SELECT sum(sin(age)), sum(cos(age)), sum(sign(balance)) FROM customer

SELECT count(*) FROM customer WHERE power(age, 2) > 900 AND age ^ 2 < 2500 AND cbrt(age) > 3

SELECT sum(age * 2 - 10) FROM customer WHERE age IS NOT NULL

SELECT count(*) FROM customer WHERE gcd(age, 12) = 4 AND lcm(age, 2) = age

SELECT count(*) FROM customer WHERE age # 1 > age AND age & 2 = 2

SELECT count(*) FROM customer WHERE city IS DISTINCT FROM 'Paris'

SELECT count(*) FROM customer WHERE age IS NOT DISTINCT FROM NULL

SELECT count(*) FROM customer WHERE (age > 30) IS NOT TRUE

SELECT count(*) FROM customer WHERE (age > 30) IS FALSE OR (age > 30) IS UNKNOWN

SELECT count(*) FROM customer WHERE age BETWEEN SYMMETRIC 30 AND 20

SELECT count(*) FROM customer WHERE age NOT BETWEEN SYMMETRIC 30 AND 20

SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'middle' ELSE NULL END, count(*) FROM customer GROUP BY 1

SELECT coalesce(city, 'nowhere'), count(*) FROM customer GROUP BY 1

SELECT greatest(city, 'Lyon'), least(born, '1952-01-01'), count(*) FROM customer WHERE customer_id < 60 GROUP BY 1, 2

SELECT count(CAST(city AS integer)), count(CAST(segment AS text)), count(CAST(segment AS date)) FROM customer

SELECT count(CAST(big AS smallint)), count(CAST(big AS bigint)) FROM orders WHERE big = 9223372036854775807

SELECT CAST(age AS varchar(1)), CAST(active AS integer), count(*) FROM customer GROUP BY 1, 2

SELECT balance::decimal(6), count(*) FROM customer WHERE customer_id < 40 GROUP BY 1

SELECT sum(CAST(active AS integer)), avg(CAST(age AS double precision)) FROM customer

SELECT count(*) FROM customer WHERE CASE WHEN active THEN age > 30 ELSE TRUE END

SELECT count(*) FROM customer WHERE city IN ('Paris', NULL) AND age IN (20, 30, 40, NULL)

SELECT length(city), count(*) FROM customer GROUP BY 1

SELECT upper(left(city, 2)), count(*) FROM customer GROUP BY 1

SELECT substring(city FROM 2 FOR 3), count(*) FROM customer GROUP BY 1

SELECT count(*) FROM customer WHERE city ILIKE 'p%S' AND city NOT ILIKE '%Z'

SELECT count(*) FROM customer WHERE city LIKE 'P%' ESCAPE '#'

SELECT count(*) FROM customer WHERE city LIKE 'P\%' OR city LIKE 'P#_%' ESCAPE '#'

SELECT count(*) FROM customer WHERE city ~ '^(Par|Ly)[a-z]+$'

SELECT count(*) FROM customer WHERE city !~* '^PAR' AND regexp_like(city, '.')

SELECT city || ' (' || lower(segment) || ')', count(*) FROM customer GROUP BY 1

SELECT concat(city, '/', segment), concat_ws('-', city, segment), count(*) FROM customer GROUP BY 1, 2

SELECT position('a' IN city), strpos(city, 'o'), count(*) FROM customer GROUP BY 1, 2

SELECT replace(city, 'a', 'xx'), translate(city, 'ai', '4'), reverse(city), count(*) FROM customer GROUP BY 1, 2, 3

SELECT lpad(city, 8, '*'), rpad(city, 3, '*'), repeat(left(city, 1), 3), count(*) FROM customer GROUP BY 1, 2, 3

SELECT split_part(city, 'a', 1), ascii(city), chr(ascii(city) + 1), count(*) FROM customer GROUP BY 1, 2, 3

SELECT trim(BOTH 'Ps' FROM city), ltrim(city, 'P'), rtrim(city, 's'), count(*) FROM customer GROUP BY 1, 2, 3

SELECT count(*) FROM customer WHERE starts_with(city, 'L') AND right(city, -2) = 'on' AND md5(city) = md5('Lyon') AND octet_length(city) = 4 AND bit_length(city) = 32

SELECT extract(year FROM born), count(*) FROM customer GROUP BY 1

SELECT extract(quarter FROM ordered), extract(month FROM ordered), count(*) FROM orders WHERE customer_id IS NOT NULL GROUP BY 1, 2

SELECT sum(extract(dow FROM ordered)), sum(extract(isodow FROM ordered)), sum(extract(doy FROM ordered)), sum(date_part('week', ordered)), sum(extract(day FROM ordered)) FROM orders WHERE customer_id IS NOT NULL

SELECT date_trunc('month', ordered), count(*) FROM orders WHERE customer_id IS NOT NULL GROUP BY 1

SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND ordered + 10 > DATE '2026-03-01' AND ordered - 5 < '2026-03-20'

SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND ordered >= DATE '2026-04-10' - INTERVAL '1 month 10 days'

SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND ordered + INTERVAL '36' HOUR < TIMESTAMP '2026-02-01 12:00:00'

SELECT sum(ordered - DATE '2026-01-01', 0, 100) FROM orders WHERE customer_id IS NOT NULL

SELECT extract(year FROM age(TIMESTAMP '2026-07-01', born)), count(*) FROM customer GROUP BY 1

SELECT count(*) FROM customer WHERE age(TIMESTAMP '2026-07-01', born) > INTERVAL '72 years 6 months'

SELECT count(*) FROM customer WHERE born < make_date(1955, 6, 15) AND make_date(2026, 2, 30) IS NULL

SELECT count(*) FROM customer WHERE born < current_date AND born < now() AND born < localtimestamp AND age(born) > INTERVAL '1 year'

SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND CAST(ordered AS timestamp) BETWEEN SYMMETRIC '2026-02-28' AND '2026-02-01 00:00:00'

SELECT sum(extract(epoch FROM ordered), 0, 2000000000) FROM orders WHERE customer_id IS NOT NULL AND ordered = '2026-01-05'

SELECT count(*), count(DISTINCT c.customer_id) FROM customer c JOIN orders o ON c.customer_id = o.customer_id

SELECT count(*) FROM customer c, orders o WHERE c.customer_id = o.customer_id

SELECT c.city, avg(o.amount), count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id WHERE c.active GROUP BY c.city

SELECT count(*), sum(quantity) FROM item

SELECT product, count(*), count(DISTINCT o.customer_id) FROM item i JOIN orders o ON i.order_id = o.order_id GROUP BY product

SELECT count(*) FROM item i JOIN orders o ON i.order_id = o.order_id JOIN customer c ON c.customer_id = o.customer_id

SELECT t.country, count(*), avg(c.age) FROM customer c JOIN city t ON c.city = t.name GROUP BY t.country

SELECT count(*) FROM customer CROSS JOIN city

SELECT count(*), sum(seconds) FROM visit

SELECT count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.order_id = b.order_id

SELECT count(*) FROM zchild

SELECT count(*) FROM zchild WHERE cid IN (SELECT n FROM pub)

SELECT count(*) FROM zchild z JOIN customer c ON z.cid = c.id WHERE z.cid IN (SELECT n FROM pub)

SELECT count(*) FROM zchild ch JOIN (SELECT n FROM pub) p ON ch.cid = p.n

SELECT count(*) FROM zchild ch JOIN (SELECT id, age FROM customer) d ON ch.cid = d.id WHERE d.age = 5

SELECT count(*) FROM (SELECT 3 AS three, id, count(*) AS n FROM customer GROUP BY 1, 2) d

SELECT count(*) FROM (SELECT DISTINCT id, 7 AS z, max(8) AS m, sum(9) AS s FROM customer GROUP BY id, z) d

SELECT count(*), count(DISTINCT d.cid) FROM (SELECT o.cid, o.amt FROM orders o WHERE o.cid = o.amt) d

SELECT count(*), count(list), count(st), count(blob), count(en), count(uid), count(tz) FROM odd

SELECT count(*), count(DISTINCT person_id) FROM odd

SELECT count(*) FROM odd WHERE tiny + tiny > 0

SELECT count(tiny + 9223372036854775807), count(-9223372036854775807 - tiny - tiny) FROM odd WHERE tiny = 127

SELECT sum(ubig, 0, 1), sum(huge, 0, 1), sum(uhuge, 0, 1), sum(wide_dec, 0, 1) FROM odd

SELECT sum(f, 0, 1), sum(d, 0, 1) FROM odd

SELECT count(d * d), count(d - d) FROM odd WHERE d > 0 OR d < 0

SELECT count(*) FROM odd WHERE ubig = huge OR uhuge > wide_dec OR small_dec < ubig

SELECT count(*) FROM odd WHERE day > '2026-01-01' AND ts < '2026-01-01 10:00:00'

SELECT day, count(*) FROM odd GROUP BY day

SELECT ts, count(*) FROM odd GROUP BY ts

SELECT small_dec, count(*) FROM odd WHERE txt LIKE '%x%' GROUP BY small_dec

SELECT huge, uhuge, ubig, count(*) FROM odd GROUP BY 1, 2, 3

SELECT count(DISTINCT o.person_id) FROM odd o

SELECT count(*), count(o.amount) FROM customer c LEFT JOIN orders o ON c.customer_id = o.customer_id

SELECT c.city, count(*), count(o.amount) FROM customer c LEFT JOIN orders o ON c.customer_id = o.customer_id AND o.amount > 300 GROUP BY c.city

SELECT t.country, count(*) FROM customer c LEFT JOIN city t ON c.city = t.name GROUP BY t.country

SELECT count(*) FROM customer c LEFT JOIN city t ON c.city = t.name WHERE t.country IS NULL

SELECT count(*) FROM city t RIGHT JOIN customer c ON c.city = t.name AND t.country = 'France'

SELECT count(*) FROM customer c LEFT JOIN (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o ON c.customer_id = o.customer_id WHERE o.n IS NULL

SELECT count(*) FROM customer c LEFT JOIN city t ON c.city = t.name JOIN orders o ON o.customer_id = c.customer_id WHERE t.country = 'France'

SELECT count(*) FROM customer WHERE age BETWEEN 20 AND 30

SELECT count(*) FROM customer WHERE age NOT BETWEEN 20 AND 30

SELECT count(*) FROM customer WHERE city IN ('Paris', 'Lyon') AND NOT active

SELECT count(*) FROM customer WHERE city NOT IN ('Paris', 'Lyon')

SELECT count(*) FROM customer WHERE city IS NULL OR age IS NOT NULL

SELECT count(*) FROM customer WHERE city LIKE '%a%'

SELECT count(*) FROM customer WHERE city NOT LIKE 'P%'

SELECT count(*) FROM customer WHERE balance > 0.5 AND balance <= 100

SELECT count(*) FROM customer WHERE balance > age

SELECT count(*) FROM customer WHERE born >= '1955-01-01' AND born < DATE '1957-01-01'

SELECT count(*) FROM customer WHERE score > 50

SELECT count(*) FROM customer WHERE score IS NULL

SELECT count(*) FROM customer WHERE active = TRUE AND customer_id <> 5

SELECT count(*) FROM "CUSTOMER" WHERE "Age" > 30

SELECT count(*) FROM customer WHERE age + 1 > 2 * 10 AND -age < 0

SELECT count(*), avg(age) FROM (SELECT customer_id, age FROM customer WHERE active) c

SELECT city, count(*) FROM (SELECT city FROM customer WHERE active) c GROUP BY city

SELECT count(*) FROM (SELECT * FROM customer) c WHERE age > 30

WITH paris AS (SELECT customer_id, age FROM customer WHERE city = 'Paris') SELECT count(*), sum(age) FROM paris

WITH a AS (SELECT customer_id, age FROM customer WHERE active), orders AS (SELECT customer_id FROM a WHERE age > 30) SELECT count(*) FROM orders

SELECT count(*), sum(n, 0, 50), avg(n, 0, 50) FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o

SELECT n, count(*) FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o GROUP BY n

SELECT count(*) FROM (SELECT customer_id, max(ordered) AS m, count(DISTINCT ordered) AS d FROM orders GROUP BY customer_id) o WHERE m > '2026-03-01' AND d > 5

SELECT sum(s, 0, 100000) FROM (SELECT customer_id, sum(order_id) AS s FROM orders GROUP BY customer_id) o

SELECT c.city, count(*), avg(o.n, 0, 50) FROM customer c JOIN (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o ON c.customer_id = o.customer_id GROUP BY c.city

SELECT count(*) FROM (SELECT DISTINCT customer_id, ordered FROM orders) o

SELECT country, count(*) FROM customer c JOIN (SELECT name, country FROM city WHERE country <> 'Japan') t ON c.city = t.name GROUP BY country

SELECT count(*) FROM customer WHERE customer_id IN (SELECT customer_id FROM orders WHERE amount > 600)

SELECT count(*) FROM customer WHERE city IN (SELECT name FROM city WHERE country = 'France') AND active

SELECT count(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND o.amount > 650)

SELECT count(*) FROM customer c WHERE EXISTS (SELECT * FROM city t WHERE c.city = t.name AND t.country = 'France')

SELECT count(*) FROM customer c WHERE c.customer_id IN (SELECT o.customer_id FROM orders o JOIN item i ON i.order_id = o.order_id WHERE i.product = 'tea' AND i.quantity = 7)

SELECT sum(age) FROM customer

SELECT sum(balance), avg(balance), count(*) FROM customer

SELECT city, avg(age), sum(age), count(age) FROM customer GROUP BY city

SELECT sum(score) FROM customer

SELECT avg(score) FROM customer

SELECT sum(age, 20, 40) FROM customer

SELECT sum(age, lower => 20, upper => 40), avg(age, upper => 40, lower => 20) FROM customer

SELECT sum(huge) FROM customer

SELECT sum(2 * age - 10) FROM customer

SELECT count(*), count(big + big) FROM orders

SELECT avg(value) FROM empty_table

SELECT sum(value) FROM empty_table
