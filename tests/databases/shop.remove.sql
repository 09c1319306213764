-- Removes one unit, $unit, from every table that is about it.
DELETE FROM item WHERE order_id IN (SELECT order_id FROM orders WHERE customer_id = $unit);
DELETE FROM orders WHERE customer_id = $unit;
DELETE FROM customer WHERE customer_id = $unit;
DELETE FROM visit WHERE who = 'u$unit';
