-- Removes one unit, $unit, from every table that is about it.
DELETE FROM zchild WHERE cid = $unit;
DELETE FROM orders WHERE cid = $unit;
DELETE FROM customer WHERE id = $unit;
