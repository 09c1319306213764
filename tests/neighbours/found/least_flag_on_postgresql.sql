-- The least and the largest of a unit's flags, which PostgreSQL has no function for.
-- manner threshold 0 own postgresql
--| [dataset]
--| name = "found"
--| unit = "person"
--| [budget]
--| epsilon = 8.0
--| delta = 1e-6
--| [query]
--| epsilon = 1.0
--| delta = 1e-7
--| min_frequency = 1
--| max_groups_per_unit = 1
--| [tables.act]
--| unit = "who"
--| max_rows_per_unit = 2
CREATE TABLE act (who INTEGER, n INTEGER, x BOOLEAN);
INSERT INTO act VALUES (1, 1, TRUE); -- person 1
INSERT INTO act VALUES (1, 2, FALSE); -- person 1
INSERT INTO act VALUES (2, 1, FALSE); -- person 2
INSERT INTO act VALUES (2, 2, NULL); -- person 2
-- question
SELECT count(*) FROM (SELECT who, min(x) AS a FROM act GROUP BY who) t JOIN (SELECT who, max(x) OVER (PARTITION BY who ORDER BY n) AS b FROM act) w ON t.who = w.who AND a = b
