SELECT count(*) FROM customer WHERE age BETWEEN $low AND $high

SELECT sum(age, $low, $high), avg(age) FROM customer WHERE city = $city AND born < $day

SELECT city, count(*) AS n FROM customer GROUP BY city ORDER BY n DESC LIMIT $low OFFSET -$low

SELECT count(*) FROM customer WHERE city IN ($city, $$ $low $$, $tag$ $city $tag$) -- $low

SELECT count(*) FROM customer WHERE born < DATE $city OR born > $day + INTERVAL $city DAY

SET dp.epsilon = $high; SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = $high) count(*) FROM customer

SELECT CASE WHEN $yes THEN $none ELSE $low END, count(*) FROM customer GROUP BY 1

SELECT $unknown, $1, $low$high FROM $city
