-- Texts that are equal, or in another order, under some collation: the case of letters, accents as one
-- character and as two, blanks at the end, and characters whose order in UTF-16 is not that in UTF-8.
-- The copies of tests/support/fill_*.cc store what is no key under such a collation.
CREATE TABLE letter (name VARCHAR PRIMARY KEY, kind VARCHAR NOT NULL);
INSERT INTO letter VALUES ('a', 'x'), ('A', 'X'), ('b', 'x'), (chr(233), 'x '), ('Z', 'X'), ('', ''), ('a ', 'x');

CREATE TABLE written (place INTEGER, w VARCHAR);
INSERT INTO written VALUES (1, 'a'), (2, 'A'), (3, 'b'), (4, chr(233)), (5, 'e' || chr(769)), (6, 'z'), (7, 'Z'),
  (8, ''), (9, 'a '), (10, 'a  '), (11, chr(65374)), (12, chr(128512)), (13, NULL);

-- Of 20 + place people each has the text twice and the next one once.
CREATE TABLE word (person_id INTEGER, w VARCHAR, other VARCHAR, listed VARCHAR NOT NULL);
INSERT INTO word
SELECT 1000 * own.place + n, CASE WHEN turn = 3 THEN next.w ELSE own.w END, next.w,
       coalesce(CASE WHEN turn = 3 THEN next.w ELSE own.w END, 'a')
FROM written own JOIN written next ON next.place = own.place % 13 + 1, range(0, 20 + own.place) p(n),
     range(1, 4) t(turn);

-- Units that a collation would make one.
CREATE TABLE named (who VARCHAR, n INTEGER NOT NULL);
INSERT INTO named SELECT w, n FROM written, range(0, 3) t(n);
DROP TABLE written;
