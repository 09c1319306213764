SELECT 0, 1, -5, -(2.5), - -7, 1e6, 1.50, .5, 5., 12345678901234567890, -2147483648

SELECT '', 'it''s', E'a\
b', $$dollar$$, 'a'
  'b', NULL, TRUE, false

SELECT $1, $12

SELECT date '2020-01-01', timestamp with time zone '2020-01-01 00:00', interval '1' day

SELECT interval '1', interval '1 2' day to hour, interval(3) '1', interval '1' second (2)

SELECT char(3) 'abc', numeric(5, -2) '1', time without time zone '1:00'

SELECT a, t.a, s.t.a, "T"."A b", *, t.*, s.t.* FROM s.t

SELECT a AS b, a c, a "D e", a AS from, a AS "union", t.order FROM t

select
	a -- a comment with ( and '
, /* another ) */ b
from t

SELECT é, "日本", 'ü' AS ß FROM straße

SELECT FROM t

TABLE t

SELECT a + b * c - d / e % f ^ g, -a, +a, - - a, -(-a), (a + b) * (c - d), ((a)) + ((b))

SELECT a = b, a <> b, a != b, a < b, a <= b, a > b, a >= b, a || b, a ~ b, a !~* b, @ a

SELECT a OPERATOR(+) b FROM t

SELECT (a, b) = (c, d), ROW(a, b) <> ROW(c), ROW()

SELECT a AND b AND c, (a AND b) AND c, ((a AND b)) AND (c), a AND (b AND c), a OR b AND NOT c

SELECT NOT a, NOT NOT a, NOT (a), (NOT a) AND b, (a OR b) AND (c OR (d)), a AND (b OR c)

SELECT a IS NULL, a IS NOT NULL, a ISNULL, a NOTNULL, (a) IS NULL, a + b IS NULL

SELECT a IS TRUE, a IS NOT TRUE, a IS FALSE, a IS NOT FALSE, a IS UNKNOWN, a IS NOT UNKNOWN

SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM (b) FROM t

SELECT a LIKE b, a NOT LIKE b, a ILIKE b, a NOT ILIKE (b), a SIMILAR TO b, a NOT SIMILAR TO b

SELECT a LIKE b ESCAPE c, a NOT LIKE b ESCAPE ('!'), a ILIKE b ESCAPE c, a SIMILAR TO b ESCAPE c

SELECT a BETWEEN b AND c, a NOT BETWEEN (b) AND (c), a BETWEEN SYMMETRIC b AND c + 1

SELECT a NOT BETWEEN SYMMETRIC b AND c, (a BETWEEN b AND c) AND d

SELECT a IN (1), a IN (1, 2), a NOT IN ((1), (2)), (a) IN (b), (a, b) IN ((1, 2), (3, 4))

SELECT f(), f(a), f(a, b), s.f(a), f((a)), f(f(a)), c.s.f(a), left(a, 1), "F"(a)

SELECT f(a, lower => 0, upper => 100), f(lower => -1), f(a, bounds => (0, 100)), f(x := 1)

SELECT count(*), count(a), count(DISTINCT a), sum(ALL a), string_agg(a, ',' ORDER BY b DESC)

SELECT count(*) FILTER (WHERE a > 1), sum(a) FILTER (WHERE (b)) + 1

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a DESC NULLS LAST) FILTER (WHERE b)

SELECT coalesce(a, b, 0), greatest(a, b), least(a), nullif(a, b), grouping(a, b) FROM t

SELECT extract(year FROM a), extract('epoch' FROM (a)), position('a' IN b), overlay(a PLACING b FROM 1)

SELECT substring(a FROM 1 FOR 2), substring(a, 1), trim(a), trim(BOTH 'x' FROM a), trim(LEADING FROM a)

SELECT a AT TIME ZONE 'UTC', (a) AT TIME ZONE (b), a AT TIME ZONE b AT TIME ZONE c

SELECT (a, b) OVERLAPS (c, d), ROW(a, b) OVERLAPS ROW(c, d), a IS NORMALIZED, a IS NOT NFC NORMALIZED

SELECT current_date, current_time, current_timestamp(3), localtimestamp, current_user, now()

SELECT CASE WHEN a THEN b END, CASE a WHEN 1 THEN 2 WHEN (3) THEN (4) ELSE (5) END + 1

SELECT CASE WHEN CASE WHEN a THEN b ELSE c END THEN d ELSE CASE a WHEN 1 THEN 2 END END

SELECT a::int, (a)::bigint, a + b::text, a::numeric(12, 2)::float8, '1'::int, -1::int

SELECT cast(a AS double precision), CAST((a) AS varchar(10)), cast(a + b AS timestamp(3))

SELECT a::timestamp with time zone, a::time(3) without time zone, a::character varying (3), a::bit varying

SELECT a::int[], a::text ARRAY, a::text ARRAY[3], a::interval day to second (2), a::"My", a::interval hour

SELECT a::national character varying(3) AS x, a::varchar, a::double precision = b, a::bool AND b

SELECT (SELECT 1), ((SELECT 1)) + 1, EXISTS (SELECT 1 FROM t), NOT EXISTS (SELECT 1)

SELECT a IN (SELECT b FROM t), a NOT IN (SELECT b FROM t LIMIT 1), (a, b) IN (SELECT 1, 2) ORDER BY 1

SELECT a = ANY (SELECT b), a <> ALL (SELECT b), a < SOME (SELECT b), a LIKE ANY (SELECT b), ARRAY(SELECT 1)

SELECT a IN ((SELECT 1 ORDER BY 1)) FROM t WHERE b IN (SELECT 1 LIMIT 1) LIMIT 2

SELECT 1 FROM a, b c, d AS e, s.t AS u (x, y), c.s.t

SELECT 1 FROM a JOIN b ON a.x = b.x LEFT JOIN c ON (a.y = c.y) RIGHT OUTER JOIN d USING (z, w)

SELECT 1 FROM a FULL JOIN b USING (x) CROSS JOIN c NATURAL JOIN d NATURAL LEFT JOIN e

SELECT 1 FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x, (d CROSS JOIN e)

SELECT 1 FROM ((a JOIN b USING (x)) JOIN c USING (x)), (a CROSS JOIN b) AS j (p, q) CROSS JOIN z

SELECT 1 FROM a JOIN b JOIN c ON b.x = c.x ON a.x = b.x

SELECT 1 FROM (SELECT 1) t, ((SELECT 2)) AS u (x), (VALUES (1), (2)) v, (TABLE t) w

SELECT 1 FROM a, LATERAL (SELECT a.x) t, LATERAL f(a.x) AS g (y), generate_series(1, 2) s

SELECT 1 FROM (SELECT 1 UNION SELECT 2) t JOIN ((SELECT 3) EXCEPT (SELECT 4)) u ON TRUE

SELECT 1 FROM ((SELECT 1) t CROSS JOIN b), t * AS u

SELECT DISTINCT a, b FROM t; SELECT DISTINCT ON (a, b + 1) c FROM t ORDER BY a

SELECT a, count(*) FROM t WHERE a > 1 AND (b) GROUP BY a, (b), 1 HAVING count(*) > 3

SELECT a FROM t GROUP BY DISTINCT ROLLUP (a, (b, c)), CUBE (a), GROUPING SETS ((a, b), (a), ()), ()

SELECT a FROM t GROUP BY GROUPING SETS (ROLLUP (a), GROUPING SETS ((b), ()))

SELECT a FROM t ORDER BY a ASC, b DESC NULLS FIRST, c NULLS LAST, 1 LIMIT 10 OFFSET 5

SELECT a FROM t OFFSET 5 ROWS FETCH FIRST 3 ROWS ONLY

SELECT a FROM t ORDER BY a FETCH NEXT 2 ROWS WITH TIES

SELECT a FROM t LIMIT ALL

VALUES (1, 'a'), (2, NULL) ORDER BY 1 LIMIT 1

(SELECT 1)

((SELECT 1 ORDER BY 1)) LIMIT 3

SELECT a FROM t WHERE a = 1;;  SELECT b FROM u ;

SELECT sum(a) OVER (), sum(a) OVER w, sum(a) OVER (w ORDER BY b) FROM t WINDOW w AS (PARTITION BY c)

SELECT row_number() OVER (PARTITION BY a, b ORDER BY c DESC) + 1 FROM t

SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) FROM t

SELECT sum(a) OVER (ORDER BY b RANGE UNBOUNDED PRECEDING) FROM t

SELECT sum(a) OVER (GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE TIES) FROM t

SELECT sum(a) FILTER (WHERE b) OVER v FROM t WINDOW w AS (PARTITION BY c), v AS (w ROWS 1 PRECEDING)

WITH a AS (SELECT 1), b (x, y) AS (SELECT 2, 3) SELECT * FROM a, b

WITH RECURSIVE r (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT n FROM r

WITH a AS MATERIALIZED (SELECT 1), b AS NOT MATERIALIZED (SELECT 2) SELECT 3

WITH a AS (SELECT 1) (SELECT 2 ORDER BY 1) LIMIT 3

(WITH a AS (SELECT 1) SELECT 2) LIMIT 3

WITH a AS (SELECT 1) SELECT 1 UNION SELECT 2 ORDER BY 1

WITH a AS (SELECT 1) (SELECT 1 UNION SELECT 2) LIMIT 1

SELECT 1 UNION SELECT 2 UNION ALL SELECT 3

SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT ALL SELECT 4 ORDER BY 1 LIMIT 2

(SELECT 1) UNION (SELECT 2 LIMIT 1) ORDER BY 1

SELECT 1 UNION ((SELECT 2 LIMIT 1) ORDER BY 1)

((SELECT 1 LIMIT 1) ORDER BY 1) UNION DISTINCT SELECT 2

(SELECT 1 UNION SELECT 2) EXCEPT (SELECT 3 UNION (SELECT 4)) LIMIT 1

SELECT a FROM t UNION SELECT b FROM u WHERE c GROUP BY d HAVING e

SELECT 1 WHERE 2 IN (SELECT 3 UNION (SELECT 4 LIMIT 1)) ORDER BY 5

EXPLAIN (DP) SELECT count(*) FROM t

EXPLAIN (DP) (WITH a AS (SELECT 1) SELECT 2) UNION SELECT 3
