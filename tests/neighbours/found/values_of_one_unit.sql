-- One person has three values of his own: he speaks for one of them.
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
--| [tables.person]
--| unit = "id"
--| [tables.rare]
--| unit = "id"
--| [tables.act]
--| unit = "who"
--| max_rows_per_unit = 2
--| [tables.act.columns]
--| x = { lower = 0, upper = 10 }
CREATE TABLE person (id BIGINT PRIMARY KEY, age INTEGER);
INSERT INTO person VALUES (9007199254740992, 3); -- person 1
INSERT INTO person VALUES (9007199254740993, 3); -- person 2
CREATE TABLE rare (id BIGINT PRIMARY KEY, x INTEGER);
INSERT INTO rare VALUES (3, 4); -- person 3
CREATE TABLE act (who BIGINT, x INTEGER, k VARCHAR);
INSERT INTO act VALUES (9007199254740992, 10, 'a'); -- person 1
INSERT INTO act VALUES (9007199254740992, 7, 'c'); -- person 1
INSERT INTO act VALUES (9007199254740992, 7, 'c'); -- person 1
INSERT INTO act VALUES (9007199254740992, 9, 'd'); -- person 1
INSERT INTO act VALUES (9007199254740993, 4, 'a'); -- person 2
INSERT INTO act VALUES (4, 4, 'b'); -- person 4
INSERT INTO act VALUES (NULL, 4, 'c'); -- nobody
-- question
SELECT count(DISTINCT x), count(DISTINCT k) FROM act
