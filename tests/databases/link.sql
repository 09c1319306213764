-- The parent of a link is the first table of the policy, ids are too large for a DOUBLE, and one
-- person has many amounts that a DOUBLE cannot tell apart.
CREATE TABLE customer (id BIGINT PRIMARY KEY, age BIGINT, secret VARCHAR);
INSERT INTO customer SELECT i, CASE WHEN i = 1 THEN 5 ELSE 1 END, 's' FROM range(1, 11) t(i);
INSERT INTO customer VALUES (9007199254740992, 50, 's'), (9007199254740993, 51, 's');
CREATE TABLE orders (cid BIGINT, amt DECIMAL(38, 20), day DATE);
INSERT INTO orders SELECT 3, 3 + j * 0.00000000000000000001, DATE '2026-01-01' FROM range(0, 10) t(j);
CREATE TABLE pub (n BIGINT, f DOUBLE, u UBIGINT, k VARCHAR);
INSERT INTO pub SELECT i, i, i, 'k' || i FROM range(1, 6) t(i);
INSERT INTO pub VALUES (9007199254740993, 9007199254740992.0, 9007199254740993, 'k');
CREATE TABLE zchild (cid BIGINT, x BIGINT);
INSERT INTO zchild SELECT 1 + j % 10, j FROM range(0, 50) t(j);
