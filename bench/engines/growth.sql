-- {rows} rows of a tenth as many units, in 1,000 groups. Of {heavy} rows in 1,000 the unit is 0.
COPY (
  SELECT CASE WHEN hash(i, 3) % 1000 < {heavy} THEN 0 ELSE (hash(i, 0) % ({rows} // 10))::BIGINT END
      AS unit,
    ((hash(i, 1) % 10001) / 100)::DOUBLE AS amount, (hash(i, 2) % 1000)::INTEGER AS key1000
  FROM range({rows}) AS numbers(i)
) TO '{file}';
