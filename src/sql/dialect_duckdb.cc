#include "sql/dialect.h"

namespace dpsql {
namespace {

// Every text is total, and takes time that is linear in its size.
// - Without TRY(...): DuckDB evaluates its operand a second time on a row that fails, so nested it
//   takes twice as long for each level, on that row alone. Instead whole numbers are computed in
//   128 bits, TRY_CAST makes NULL of what does not fit, and an argument that a function would fail
//   on becomes NULL before the call.
// - TRY_CAST of an exact number or a date stands in greatest(…): of a bare one the optimizer
//   compares what is below, so that TRY_CAST(x AS BIGINT) > 0 would be TRUE of an x that does not
//   fit.
// - An argument stands once, so that nesting does not multiply it; a lambda names it where it is
//   needed twice. DuckDB's nullif and split_part are macros that write it twice.
// - A lambda reads fields by struct_extract: p.a would be that of a column p, where the rows have
//   one, whoever may see it, and of the parameter only where they have none.
// - What struct_pack names stands behind CASE WHEN TRUE: of a macro, as nullif is, DuckDB forgets
//   the name in a subquery that reads the query around, and fails.
// - LIKE with _ or ESCAPE is a regular expression: DuckDB's own takes n^k steps for k times %. LIKE
//   with % alone is linear there. A regular expression stands in brackets, which keeps DuckDB from
//   making such a LIKE of it.
// Arguments come in brackets or quotes from the printer, never bare. "real +" and its like are of
// doubles that are known to be far from overflow.
constexpr Dialect::Function kFunctions[] = {
    {"-", "greatest(TRY_CAST((- CAST($1 AS HUGEINT)) AS BIGINT))"},
    {"+", "(+ $1)"},
    {"isnan", "isnan($1)"},
    {"nullif",
     "list_transform([struct_pack(a := CASE WHEN TRUE THEN $1 END, b := CASE WHEN TRUE THEN $2 "
     "END)], lambda p: CASE WHEN struct_extract(p, 'a') = struct_extract(p, 'b') THEN NULL ELSE "
     "struct_extract(p, 'a') END)[1]"},
    {"+", "greatest(TRY_CAST((CAST($1 AS HUGEINT) + CAST($2 AS HUGEINT)) AS BIGINT))"},
    {"+ real", "list_transform([$1 + $2], lambda v: CASE WHEN NOT isnan(v) THEN v END)[1]"},
    {"-", "greatest(TRY_CAST((CAST($1 AS HUGEINT) - CAST($2 AS HUGEINT)) AS BIGINT))"},
    {"- real", "list_transform([$1 - $2], lambda v: CASE WHEN NOT isnan(v) THEN v END)[1]"},
    {"*", "greatest(TRY_CAST((CAST($1 AS HUGEINT) * CAST($2 AS HUGEINT)) AS BIGINT))"},
    {"* real", "list_transform([$1 * $2], lambda v: CASE WHEN NOT isnan(v) THEN v END)[1]"},
    {"+ unguarded", "($1 + $2)"},
    {"+ real unguarded", "($1 + $2)"},
    {"- unguarded", "($1 - $2)"},
    {"- real unguarded", "($1 - $2)"},
    {"* unguarded", "($1 * $2)"},
    {"* real unguarded", "($1 * $2)"},
    {"/ real unguarded", "($1 / $2)"},
    {"negate", "greatest(TRY_CAST((- CAST($1 AS HUGEINT)) AS BIGINT))"},
    {"/", "greatest(TRY_CAST((CAST($1 AS HUGEINT) // CAST($2 AS HUGEINT)) AS BIGINT))"},
    {"/ real",
     "list_transform([struct_pack(a := CASE WHEN TRUE THEN $1 END, b := CASE WHEN TRUE THEN $2 "
     "END)], lambda p: CASE WHEN struct_extract(p, 'b') <> 0 AND NOT isnan(struct_extract(p, 'a') "
     "/ struct_extract(p, 'b')) THEN struct_extract(p, 'a') / struct_extract(p, 'b') END)[1]"},
    {"%",
     "list_transform([struct_pack(a := $1, b := $2)], lambda p: struct_extract(p, 'a') % CASE WHEN "
     "struct_extract(p, 'a') > CAST('-9223372036854775808' AS BIGINT) OR struct_extract(p, 'b') <> "
     "-1 THEN struct_extract(p, 'b') END)[1]"},
    {"% real",
     "list_transform([struct_pack(a := CASE WHEN TRUE THEN $1 END, b := CASE WHEN TRUE THEN $2 "
     "END)], lambda p: CASE WHEN struct_extract(p, 'b') <> 0 AND NOT isnan(struct_extract(p, 'a') "
     "% struct_extract(p, 'b')) THEN struct_extract(p, 'a') % struct_extract(p, 'b') END)[1]"},
    {"power",
     "list_transform([struct_pack(a := CASE WHEN TRUE THEN $1 END, b := CASE WHEN TRUE THEN $2 "
     "END)], lambda p: CASE WHEN (struct_extract(p, 'a') <> 0 OR struct_extract(p, 'b') >= 0) AND "
     "NOT isnan(pow(struct_extract(p, 'a'), struct_extract(p, 'b'))) THEN pow(struct_extract(p, "
     "'a'), struct_extract(p, 'b')) END)[1]"},
    // A timestamp before this cannot be written as text, and is no value.
    {"stored timestamp",
     "CASE WHEN $1 >= TIMESTAMP '290308-01-01 (BC) 00:00:00' OR $1 = CAST('-infinity' AS "
     "TIMESTAMP) THEN $1 END"},
    // A statement that hands its rows over; see backend/duckdb_rows.h.
    {"rows handed over", "count(dpsql_rows($*))"},
    {"list of values", "[$*]"},
    {"place in list", "list_position($1, $2)"},
    {"wide", "CAST($1 AS HUGEINT)"},
    {"wide div", "($1 // $2)"},
    {"root guess", "CAST(floor(sqrt(CAST($1 AS DOUBLE) / $2)) AS HUGEINT)"},
    {"date text", "CAST($1 AS VARCHAR)"},
    {"timestamp text", "CAST($1 AS VARCHAR)"},
    {"key text", "coalesce('s' || strlen($1) || ':' || $1, 'n')"},
    {"keyed hash", "hash($*)"},
    // Only above the doors: lists of draws, and what a number is in one of them.
    {"draws", "list_transform(range(1, $1 + 1), lambda dpsql_draw: $2)"},
    {"draw", "list_extract($1, dpsql_draw)"},
    {"draw of a quotient", "CASE WHEN sign($2) = sign($3) THEN $1 END"},
    // The ends of the middle of draws. $2 of them lie on the inner side of either end; one without
    // a value lies on the outer side of both.
    {"low draw",
     "list_transform([list_sort(list_filter($1, lambda v: isfinite(v)))], lambda d: CASE WHEN "
     "len(d) > $2 THEN d[len(d) - $2] END)[1]"},
    {"high draw",
     "list_transform([list_sort(list_filter($1, lambda v: isfinite(v)))], lambda d: CASE WHEN "
     "len(d) > $2 THEN d[$2 + 1] END)[1]"},
    {"#", "xor($1, $2)"},
    {"abs", "greatest(TRY_CAST(abs(CAST($1 AS HUGEINT)) AS BIGINT))"},
    {"sign", "CAST(sign($1) AS BIGINT)"},
    {"sign real", "CAST(sign($1) AS DOUBLE)"},
    {"floor", "floor($1)"},
    {"ceil", "ceil($1)"},
    {"round", "round($1)"},
    {"round",
     "list_transform([$1], lambda v: CASE WHEN isfinite(v) THEN round(v, CAST($2 AS "
     "INTEGER)) ELSE v END)[1]"},
    {"trunc", "trunc($1)"},
    {"trunc", "trunc($1, CAST($2 AS INTEGER))"},
    {"sqrt", "sqrt(list_transform([$1], lambda v: CASE WHEN v >= 0 THEN v END)[1])"},
    {"cbrt", "cbrt($1)"},
    {"exp", "exp($1)"},
    {"ln", "ln(list_transform([$1], lambda v: CASE WHEN v > 0 THEN v END)[1])"},
    {"log10", "log10(list_transform([$1], lambda v: CASE WHEN v > 0 THEN v END)[1])"},
    {"log",
     "list_transform([struct_pack(a := CASE WHEN TRUE THEN $1 END, b := CASE WHEN TRUE THEN $2 "
     "END)], lambda p: log(CASE WHEN struct_extract(p, 'a') > 0 AND struct_extract(p, 'a') <> 1 "
     "AND (isfinite(struct_extract(p, 'a')) OR isfinite(struct_extract(p, 'b'))) THEN "
     "struct_extract(p, 'a') END, CASE WHEN struct_extract(p, 'b') > 0 THEN struct_extract(p, 'b') "
     "END))[1]"},
    {"degrees", "degrees($1)"},
    {"radians", "radians($1)"},
    {"sin", "sin(list_transform([$1], lambda v: CASE WHEN isfinite(v) THEN v END)[1])"},
    {"cos", "cos(list_transform([$1], lambda v: CASE WHEN isfinite(v) THEN v END)[1])"},
    {"tan", "tan(list_transform([$1], lambda v: CASE WHEN isfinite(v) THEN v END)[1])"},
    {"cot", "cot(list_transform([$1], lambda v: CASE WHEN isfinite(v) AND v <> 0 THEN v END)[1])"},
    {"asin", "asin(list_transform([$1], lambda v: CASE WHEN v BETWEEN -1 AND 1 THEN v END)[1])"},
    {"acos", "acos(list_transform([$1], lambda v: CASE WHEN v BETWEEN -1 AND 1 THEN v END)[1])"},
    {"atan", "atan($1)"},
    {"tanh", "tanh($1)"},
    {"asinh", "asinh($1)"},
    {"sinh", "sinh($1)"},
    {"cosh", "cosh($1)"},
    {"acosh", "acosh(list_transform([$1], lambda v: CASE WHEN v >= 1 THEN v END)[1])"},
    {"atanh", "atanh(list_transform([$1], lambda v: CASE WHEN v > -1 AND v < 1 THEN v END)[1])"},
    {"atan2", "atan2(($1 + 0), ($2 + 0))"},
    {"gcd", "greatest(TRY_CAST(gcd(CAST($1 AS HUGEINT), CAST($2 AS HUGEINT)) AS BIGINT))"},
    {"lcm", "greatest(TRY_CAST(lcm(CAST($1 AS HUGEINT), CAST($2 AS HUGEINT)) AS BIGINT))"},
    {"width_bucket",
     "list_transform([$1], lambda v: CASE WHEN v < $2 THEN 0 WHEN v >= $3 THEN $4 + 1 ELSE "
     "CAST(floor((v - $2) / ($3 - $2) * $4) AS BIGINT) + 1 END)[1]"},
    {"length", "length($1)"},
    {"octet_length", "strlen($1)"},
    {"bit_length", "bit_length($1)"},
    {"lower", "lower($1)"},
    {"upper", "upper($1)"},
    {"btrim", "trim($1, ' ')"},
    {"btrim", "trim($1, $2)"},
    {"ltrim", "ltrim($1, ' ')"},
    {"ltrim", "ltrim($1, $2)"},
    {"rtrim", "rtrim($1, ' ')"},
    {"rtrim", "rtrim($1, $2)"},
    {"substring", "substring($1, $2)"},
    {"substring", "substring($1, $2, $3)"},
    {"left",
     "left($1, list_transform([$2], lambda n: CASE WHEN n > 1000000000 THEN 1000000000 WHEN n < "
     "-1000000000 THEN -1000000000 ELSE n END)[1])"},
    {"right",
     "right($1, list_transform([$2], lambda n: CASE WHEN n > 1000000000 THEN 1000000000 WHEN n < "
     "-1000000000 THEN -1000000000 ELSE n END)[1])"},
    {"strpos", "strpos(left($1, 65536), left($2, 256))"},
    {"replace",
     "left(replace(left($1, 65536 // greatest(length($3), 1)), left($2, 256), $3), 4096)"},
    {"translate", "translate($1, $2, $3)"},
    {"||", "left(left($1, 4096) || left($2, 4096), 4096)"},
    {"concat", "left(concat($*), 4096)"},
    {"concat_ws", "left(concat_ws($*), 4096)"},
    {"reverse", "reverse($1)"},
    {"repeat", "left(repeat(left($1, 1000), $2), 4096)"},
    {"lpad", "lpad($1, CAST($2 AS INTEGER), ' ')"},
    {"lpad", "lpad($1, CAST($2 AS INTEGER), $3)"},
    {"rpad", "rpad($1, CAST($2 AS INTEGER), ' ')"},
    {"rpad", "rpad($1, CAST($2 AS INTEGER), $3)"},
    {"starts_with", "starts_with($1, $2)"},
    {"split_part",
     "list_transform([$1], lambda v: CASE WHEN v IS NOT NULL THEN coalesce(string_split(v, "
     "$2)[$3], '') END)[1]"},
    {"ascii", "CAST(ascii($1) AS BIGINT)"},
    {"chr",
     "chr(list_transform([$1], lambda n: CASE WHEN n BETWEEN 1 AND 55295 OR n BETWEEN 57344 AND "
     "1114111 THEN TRY_CAST(n AS INTEGER) END)[1])"},
    {"md5", "md5($1)"},
    {"like", "($1 LIKE $2)"},
    {"like",
     "regexp_full_match($1, replace(replace(replace(replace(replace(regexp_escape($2), "
     "regexp_escape($3 || $3), '[' || $3 || ']'), regexp_escape($3 || '%'), '[%]'), "
     "regexp_escape($3 || '_'), '\\x5F'), '\\%', '.*'), '_', '.'), 's')"},
    {"not like", "($1 NOT LIKE $2)"},
    {"not like",
     "(NOT regexp_full_match($1, replace(replace(replace(replace(replace(regexp_escape($2), "
     "regexp_escape($3 || $3), '[' || $3 || ']'), regexp_escape($3 || '%'), '[%]'), "
     "regexp_escape($3 || '_'), '\\x5F'), '\\%', '.*'), '_', '.'), 's'))"},
    {"ilike", "(lower($1) LIKE lower($2))"},
    {"ilike",
     "regexp_full_match(lower($1), "
     "replace(replace(replace(replace(replace(regexp_escape(lower($2)), regexp_escape($3 || $3), "
     "'[' || $3 || ']'), regexp_escape($3 || '%'), '[%]'), regexp_escape($3 || '_'), '\\x5F'), "
     "'\\%', '.*'), '_', '.'), 's')"},
    {"not ilike", "(lower($1) NOT LIKE lower($2))"},
    {"not ilike",
     "(NOT regexp_full_match(lower($1), "
     "replace(replace(replace(replace(replace(regexp_escape(lower($2)), regexp_escape($3 || $3), "
     "'[' || $3 || ']'), regexp_escape($3 || '%'), '[%]'), regexp_escape($3 || '_'), '\\x5F'), "
     "'\\%', '.*'), '_', '.'), 's'))"},
    {"~", "(regexp_matches(left($1, 65536), '(' || $2 || ')', 's'))"},
    {"~*", "(regexp_matches(left($1, 65536), '(' || $2 || ')', 'si'))"},
    {"!~", "(NOT regexp_matches(left($1, 65536), '(' || $2 || ')', 's'))"},
    {"!~*", "(NOT regexp_matches(left($1, 65536), '(' || $2 || ')', 'si'))"},
    {"extract year",
     "list_transform([date_part('year', $1)], lambda v: CASE WHEN v > 0 THEN v END)[1]"},
    {"extract isoyear",
     "list_transform([date_part('isoyear', greatest(CAST($1 AS DATE), CAST('0002-01-01 (BC)' AS "
     "DATE)))], lambda v: CASE WHEN v > 0 THEN v END)[1]"},
    {"extract quarter", "date_part('quarter', $1)"},
    {"extract month", "date_part('month', $1)"},
    {"extract week",
     "date_part('week', list_transform([CAST($1 AS DATE)], lambda v: CASE WHEN v > "
     "CAST('5877640-01-01 (BC)' AS DATE) THEN v END)[1])"},
    {"extract day", "date_part('day', $1)"},
    {"extract dow", "date_part('dow', $1)"},
    {"extract isodow", "date_part('isodow', $1)"},
    {"extract doy", "date_part('doy', $1)"},
    {"extract epoch", "CAST(date_part('epoch', $1) AS DOUBLE)"},
    {"extract hour", "date_part('hour', $1)"},
    {"extract minute", "date_part('minute', $1)"},
    {"extract second", "(CAST(date_part('microseconds', $1) AS DOUBLE) / 1000000)"},
    {"extract year of interval", "date_part('year', $1)"},
    {"extract month of interval", "date_part('month', $1)"},
    {"extract day of interval", "date_part('day', $1)"},
    {"extract hour of interval", "date_part('hour', $1)"},
    {"extract minute of interval", "date_part('minute', $1)"},
    {"extract second of interval", "(CAST(date_part('microseconds', $1) AS DOUBLE) / 1000000)"},
    {"extract epoch of interval", "CAST(date_part('epoch', $1) AS DOUBLE)"},
    {"date_trunc year",
     "date_trunc('year', list_transform([$1], lambda v: CASE WHEN v >= CAST('290308-01-01 (BC)' AS "
     "TIMESTAMP) OR NOT isfinite(v) THEN v END)[1])"},
    {"date_trunc quarter",
     "date_trunc('quarter', list_transform([$1], lambda v: CASE WHEN v >= CAST('290308-01-01 (BC)' "
     "AS TIMESTAMP) OR NOT isfinite(v) THEN v END)[1])"},
    {"date_trunc month",
     "date_trunc('month', list_transform([$1], lambda v: CASE WHEN v >= CAST('290308-01-01 (BC)' "
     "AS TIMESTAMP) OR NOT isfinite(v) THEN v END)[1])"},
    {"date_trunc week", "date_trunc('week', $1)"},
    {"date_trunc day", "date_trunc('day', $1)"},
    {"date_trunc hour", "date_trunc('hour', $1)"},
    {"date_trunc minute", "date_trunc('minute', $1)"},
    {"date_trunc second", "date_trunc('second', $1)"},
    {"make_date",
     "TRY_CAST(format('{:04d}-{:02d}-{:02d}', list_transform([$1], lambda v: CASE WHEN v > 0 THEN "
     "v END)[1], $2, $3) AS DATE)"},
    {"make_timestamp",
     "(TRY_CAST(format('{:04d}-{:02d}-{:02d} {:02d}:{:02d}', list_transform([$1], lambda v: CASE "
     "WHEN v BETWEEN 1 AND 294246 THEN v END)[1], $2, $3, $4, $5) AS TIMESTAMP) + "
     "to_microseconds(CAST(round(list_transform([$6], lambda v: CASE WHEN v BETWEEN 0 AND 60 THEN "
     "v END)[1] * 1000000) AS BIGINT)))"},
    {"date - date", "date_diff('day', $2, $1)"},
    {"date + integer",
     "list_transform([struct_pack(a := $1, b := TRY_CAST($2 AS INTEGER))], lambda p: CASE WHEN NOT "
     "isfinite(struct_extract(p, 'a')) AND struct_extract(p, 'b') IS NOT NULL THEN "
     "struct_extract(p, 'a') ELSE struct_extract(p, 'a') + CASE WHEN abs(date_diff('day', "
     "CAST('1970-01-01' AS DATE), struct_extract(p, 'a')) + struct_extract(p, 'b')) <= 2147483646 "
     "THEN struct_extract(p, 'b') END END)[1]"},
    {"integer + date",
     "list_transform([struct_pack(a := $2, b := TRY_CAST($1 AS INTEGER))], lambda p: CASE WHEN NOT "
     "isfinite(struct_extract(p, 'a')) AND struct_extract(p, 'b') IS NOT NULL THEN "
     "struct_extract(p, 'a') ELSE struct_extract(p, 'a') + CASE WHEN abs(date_diff('day', "
     "CAST('1970-01-01' AS DATE), struct_extract(p, 'a')) + struct_extract(p, 'b')) <= 2147483646 "
     "THEN struct_extract(p, 'b') END END)[1]"},
    {"date - integer",
     "list_transform([struct_pack(a := $1, b := TRY_CAST($2 AS INTEGER))], lambda p: CASE WHEN NOT "
     "isfinite(struct_extract(p, 'a')) AND struct_extract(p, 'b') IS NOT NULL THEN "
     "struct_extract(p, 'a') ELSE struct_extract(p, 'a') - CASE WHEN abs(date_diff('day', "
     "CAST('1970-01-01' AS DATE), struct_extract(p, 'a')) - struct_extract(p, 'b')) <= 2147483646 "
     "THEN struct_extract(p, 'b') END END)[1]"},
    {"timestamp + interval",
     "list_transform([struct_pack(a := $1, b := $2)], lambda p: CASE WHEN NOT "
     "isfinite(struct_extract(p, 'a')) AND struct_extract(p, 'b') IS NOT NULL THEN "
     "struct_extract(p, 'a') ELSE struct_extract(p, 'a') + CASE WHEN abs(date_part('epoch', "
     "struct_extract(p, 'a'))) + 31622400 * abs(date_part('year', struct_extract(p, 'b'))) + "
     "2678400 * abs(date_part('month', struct_extract(p, 'b'))) + 86400 * abs(date_part('day', "
     "struct_extract(p, 'b'))) + 3600 * abs(date_part('hour', struct_extract(p, 'b'))) < "
     "9200000000000 THEN struct_extract(p, 'b') END END)[1]"},
    {"interval + timestamp",
     "list_transform([struct_pack(a := $2, b := $1)], lambda p: CASE WHEN NOT "
     "isfinite(struct_extract(p, 'a')) AND struct_extract(p, 'b') IS NOT NULL THEN "
     "struct_extract(p, 'a') ELSE struct_extract(p, 'a') + CASE WHEN abs(date_part('epoch', "
     "struct_extract(p, 'a'))) + 31622400 * abs(date_part('year', struct_extract(p, 'b'))) + "
     "2678400 * abs(date_part('month', struct_extract(p, 'b'))) + 86400 * abs(date_part('day', "
     "struct_extract(p, 'b'))) + 3600 * abs(date_part('hour', struct_extract(p, 'b'))) < "
     "9200000000000 THEN struct_extract(p, 'b') END END)[1]"},
    {"timestamp - interval",
     "list_transform([struct_pack(a := $1, b := $2)], lambda p: CASE WHEN NOT "
     "isfinite(struct_extract(p, 'a')) AND struct_extract(p, 'b') IS NOT NULL THEN "
     "struct_extract(p, 'a') ELSE struct_extract(p, 'a') - CASE WHEN abs(date_part('epoch', "
     "struct_extract(p, 'a'))) + 31622400 * abs(date_part('year', struct_extract(p, 'b'))) + "
     "2678400 * abs(date_part('month', struct_extract(p, 'b'))) + 86400 * abs(date_part('day', "
     "struct_extract(p, 'b'))) + 3600 * abs(date_part('hour', struct_extract(p, 'b'))) < "
     "9200000000000 THEN struct_extract(p, 'b') END END)[1]"},
    {"timestamp - timestamp",
     "list_transform([struct_pack(a := $1, b := $2)], lambda p: CASE WHEN abs(date_part('epoch', "
     "struct_extract(p, 'a')) - date_part('epoch', struct_extract(p, 'b'))) < 9200000000000 THEN "
     "struct_extract(p, 'a') END - struct_extract(p, 'b'))[1]"},
    {"age", "age($1, $2)"},
    {"isfinite", "isfinite($1)"},
    {"date to timestamp", "greatest(TRY_CAST($1 AS TIMESTAMP))"},
    {"cast number to smallint", "greatest(TRY_CAST($1 AS SMALLINT))"},
    {"cast real to smallint", "TRY_CAST(round($1) AS SMALLINT)"},
    {"cast boolean to smallint", "CAST($1 AS SMALLINT)"},
    {"cast text to smallint",
     "TRY_CAST(regexp_extract($1, '^[ \\t\\n\\v\\f\\r]*([+-]?[0-9]{1,25})[ "
     "\\t\\n\\v\\f\\r]*\\z', 1) AS SMALLINT)"},
    {"cast number to integer", "greatest(TRY_CAST($1 AS INTEGER))"},
    {"cast real to integer", "TRY_CAST(round($1) AS INTEGER)"},
    {"cast boolean to integer", "CAST($1 AS INTEGER)"},
    {"cast text to integer",
     "TRY_CAST(regexp_extract($1, '^[ \\t\\n\\v\\f\\r]*([+-]?[0-9]{1,25})[ "
     "\\t\\n\\v\\f\\r]*\\z', 1) AS INTEGER)"},
    {"cast number to bigint", "greatest(TRY_CAST($1 AS BIGINT))"},
    {"cast real to bigint", "TRY_CAST(round($1) AS BIGINT)"},
    {"cast boolean to bigint", "CAST($1 AS BIGINT)"},
    {"cast text to bigint",
     "TRY_CAST(regexp_extract($1, '^[ \\t\\n\\v\\f\\r]*([+-]?[0-9]{1,25})[ "
     "\\t\\n\\v\\f\\r]*\\z', 1) AS BIGINT)"},
    {"cast text to double",
     "TRY_CAST(regexp_extract($1, '^[ "
     "\\t\\n\\v\\f\\r]*((?i:[+-]?(?:(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:e[+-]?[0-9]{1,4})?|inf|"
     "infinity)))[ "
     "\\t\\n\\v\\f\\r]*\\z', 1) AS DOUBLE)"},
    {"cast number to real", "TRY_CAST($1 AS FLOAT)"},
    {"cast number to decimal", "greatest(TRY_CAST($1 AS DECIMAL($2, $3)))"},
    {"cast real to decimal", "TRY_CAST($1 AS DECIMAL($2, $3))"},
    {"cast text to decimal",
     "TRY_CAST(regexp_extract($1, '^[ "
     "\\t\\n\\v\\f\\r]*([+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]{1,4})?)[ "
     "\\t\\n\\v\\f\\r]*\\z', 1) AS DECIMAL($2, $3))"},
    {"cast text to boolean",
     "CASE lower(trim($1, chr(32) || chr(9) || chr(10) || chr(11) || chr(12) || chr(13))) "
     "WHEN 't' THEN TRUE WHEN 'tr' THEN TRUE WHEN 'tru' THEN TRUE WHEN 'true' THEN TRUE WHEN "
     "'y' THEN TRUE WHEN 'ye' THEN TRUE WHEN 'yes' THEN TRUE WHEN 'on' THEN TRUE WHEN '1' "
     "THEN TRUE WHEN 'f' THEN FALSE WHEN 'fa' THEN FALSE WHEN 'fal' THEN FALSE WHEN 'fals' "
     "THEN FALSE WHEN 'false' THEN FALSE WHEN 'n' THEN FALSE WHEN 'no' THEN FALSE WHEN 'of' "
     "THEN FALSE WHEN 'off' THEN FALSE WHEN '0' THEN FALSE END"},
    {"cast value to text", "CAST($1 AS VARCHAR)"},
    {"cast timestamp to date", "TRY_CAST($1 AS DATE)"},
    {"cast text to date",
     "TRY_CAST(regexp_extract($1, '^[ "
     "\\t\\n\\v\\f\\r]*((?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)-[0-9]{2}-[0-9]{2})[ "
     "\\t\\n\\v\\f\\r]*\\z', 1) AS DATE)"},
    {"cast text to timestamp",
     "TRY_CAST(regexp_extract($1, '^[ "
     "\\t\\n\\v\\f\\r]*((?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)-[0-9]{2}-[0-9]{2}(?:"
     " "
     "[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,6})?)?)?)[ \\t\\n\\v\\f\\r]*\\z', 1) AS "
     "TIMESTAMP)"},
};

constexpr Dialect::Type kTypes[] = {
    {"bool", "BOOLEAN"},        {"int2", "SMALLINT"},
    {"int4", "INTEGER"},        {"int8", "BIGINT"},
    {"hugeint", "HUGEINT"},     {"float4", "FLOAT"},
    {"float8", "DOUBLE"},       {"numeric", "DECIMAL"},
    {"varchar", "VARCHAR"},     {"text", "VARCHAR"},
    {"date", "DATE"},           {"time", "TIME"},
    {"timestamp", "TIMESTAMP"}, {"timestamptz", "TIMESTAMPTZ"},
    {"interval", "INTERVAL"},   {"ubigint", "UBIGINT"},
    {"uuid", "UUID"},
};

constexpr Dialect kDuckDb("duckdb", kFunctions, kTypes);

}  // namespace

const Dialect& DuckDbDialect() { return kDuckDb; }

}  // namespace dpsql
