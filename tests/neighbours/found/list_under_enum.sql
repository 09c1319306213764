-- Values of an ENUM above a list of another: the name of neither type is the whole of it, and the database would cast
-- the one to the other where a row meets it.
-- refused V309
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
--| [tables.person]
--| unit = "id"
CREATE TABLE person (id BIGINT PRIMARY KEY, age INTEGER, mood ENUM ('x', 'y'), tags ENUM ('p', 'q')[]);
INSERT INTO person VALUES (1, 20, 'x', ['p', 'q']); -- person 1
INSERT INTO person VALUES (2, 20, 'x', ['p']); -- person 2
INSERT INTO person VALUES (3, 77, 'y', ['p']); -- person 3
-- question
SELECT count(x) FROM (SELECT id, mood AS x FROM person WHERE age = 77 UNION ALL SELECT id, tags FROM person WHERE age = 20) t
