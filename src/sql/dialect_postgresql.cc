#include "sql/dialect.h"

namespace dpsql {
namespace {

// PostgreSQL compiles a pattern when it first compares with it, which may hang on the data; what is
// constant it computes while it plans. So whatever the compiler has to say, it says in each run of
// the statement. The printer writes the cases of letters into the pattern.
constexpr std::string_view kFound =
    "((left($1, 65536) COLLATE \"C\") ~ ($2 || CASE WHEN ('' COLLATE \"C\") ~ $2 THEN '' ELSE '' "
    "END))";
constexpr std::string_view kNotFound =
    "((left($1, 65536) COLLATE \"C\") !~ ($2 || CASE WHEN ('' COLLATE \"C\") ~ $2 THEN '' ELSE '' "
    "END))";

// PostgreSQL has no TRY: a text keeps its arguments away from what raises an error. An argument
// that is needed twice is named by a subquery, which OFFSET 0 keeps from being written out twice.
// PostgreSQL raises an error where a double overflows or vanishes, so texts of + - * / try the
// operands scaled by a power of two first: 1.34e154 is 2^512, 4.44e-16 is 2^-51, 8.99e307 is half
// of the largest double. 1.43e-322 is 29 * 2^-1074, the least number whose radians do not vanish:
// 28 of them are 0.49 of the least double. Texts have the collation "C", under which only ASCII has
// two cases: what needs letters takes the one of Unicode, and gives texts back under "C". Days
// before year 1 and after 9999 may give NULL where DuckDB has a value.
// No text may have more than 65,536 characters: backend/postgresql_read.h tells why. A call has a
// hundred arguments at most, an array any number.
constexpr Dialect::Function kFunctions[] = {
    {"< text", "($1 < ($2 COLLATE \"C\"))"},
    {"<= text", "($1 <= ($2 COLLATE \"C\"))"},
    {"> text", "($1 > ($2 COLLATE \"C\"))"},
    {">= text", "($1 >= ($2 COLLATE \"C\"))"},
    {"greatest text", "greatest(CAST(NULL AS text) COLLATE \"C\", $*)"},
    {"least text", "least(CAST(NULL AS text) COLLATE \"C\", $*)"},
    {"max text", "max($* COLLATE \"C\")"},
    {"min text", "min($* COLLATE \"C\")"},
    {"interval text", "replace(CAST($1 AS text), '+', '')"},  // ours has no sign but minus
    {"byte order", "($1 COLLATE \"C\")"},
    {"nan to null", "nullif($1, CAST('nan' AS float8))"},
    {"wide", "CAST($1 AS numeric)"},
    {"wide div", "div($1, $2)"},
    {"root guess", "CAST(floor(sqrt(CAST($1 AS float8) / $2)) AS numeric)"},
    {"joined texts", "concat(VARIADIC ARRAY[$*])"},
    // The era where our texts have it. Few days are that old, and a pattern takes time.
    // PostgreSQL's timestamps go on for 29 years after the last one of ours.
    {"date text",
     "CASE WHEN $1 < DATE '0001-01-01' THEN regexp_replace(CAST($1 AS text), ' BC\\Z', ' (BC)') "
     "ELSE "
     "CAST($1 AS text) END"},
    {"timestamp text",
     "CASE WHEN $1 < TIMESTAMP '0001-01-01' THEN regexp_replace(CAST($1 AS text), '( [^ ]+) "
     "BC\\Z', "
     "' (BC)\\1') WHEN $1 <= TIMESTAMP '294247-01-10 04:00:54.775806' OR NOT isfinite($1) THEN "
     "CAST($1 AS text) END"},
    {"key text", "coalesce('s' || octet_length($1) || ':' || $1, 'n')"},
    {"keyed hash", "hashtextextended($1 || $2, hashtextextended($3, 0))"},
    {"keyed hash", "hashtextextended($1 || $2, hashtextextended($3, hashtextextended($4, 0)))"},
    {"+",
     "CAST(nullif(nullif(greatest(least(CAST($1 AS numeric) + $2, 9223372036854775808), "
     "-9223372036854775809), 9223372036854775808), -9223372036854775809) AS int8)"},
    {"+ real",
     "(SELECT CASE WHEN abs(v) < 8e307 AND abs(w) < 8e307 THEN v + w WHEN abs(v) = CAST('infinity' "
     "AS float8) OR abs(w) = CAST('infinity' AS float8) THEN nullif(v + w, CAST('nan' AS float8)) "
     "WHEN abs(w) < 1 THEN v WHEN abs(v) < 1 THEN w WHEN abs(v / 2 + w / 2) > "
     "8.988465674311579e307 THEN sign(v / 2 + w / 2) * CAST('infinity' AS float8) ELSE v + w END "
     "FROM (SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"-",
     "CAST(nullif(nullif(greatest(least(CAST($1 AS numeric) - $2, 9223372036854775808), "
     "-9223372036854775809), 9223372036854775808), -9223372036854775809) AS int8)"},
    {"- real",
     "(SELECT CASE WHEN abs(v) < 8e307 AND abs(w) < 8e307 THEN v - w WHEN abs(v) = CAST('infinity' "
     "AS float8) OR abs(w) = CAST('infinity' AS float8) THEN nullif(v - w, CAST('nan' AS float8)) "
     "WHEN abs(w) < 1 THEN v WHEN abs(v) < 1 THEN 0 - w WHEN abs(v / 2 - w / 2) > "
     "8.988465674311579e307 THEN sign(v / 2 - w / 2) * CAST('infinity' AS float8) ELSE v - w END "
     "FROM (SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"*",
     "CAST(nullif(nullif(greatest(least(CAST($1 AS numeric) * $2, 9223372036854775808), "
     "-9223372036854775809), 9223372036854775808), -9223372036854775809) AS int8)"},
    {"* real",
     "(SELECT CASE WHEN abs(v) = CAST('infinity' AS float8) OR abs(w) = CAST('infinity' AS float8) "
     "THEN nullif(v * w, CAST('nan' AS float8)) WHEN abs(v) >= 1 AND abs(w) >= 1 THEN CASE WHEN "
     "abs(v / 1.3407807929942597e154) * abs(w / 1.3407807929942597e154) >= 1 THEN sign(v) * "
     "sign(w) * CAST('infinity' AS float8) ELSE v * w END WHEN abs(v) < 1 AND abs(w) < 1 THEN CASE "
     "WHEN least(abs(v), abs(w)) < 1e-200 AND greatest(abs(v), abs(w)) < 1e-130 THEN 0 WHEN abs(v "
     "* 1.3407807929942597e154) * abs(w * 1.3407807929942597e154) <= 4.440892098500626e-16 THEN 0 "
     "ELSE v * w END ELSE v * w END FROM (SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"negate",
     "CAST(nullif(nullif(greatest(least(- CAST($1 AS numeric), 9223372036854775808), "
     "-9223372036854775809), 9223372036854775808), -9223372036854775809) AS int8)"},
    {"/",
     "CAST(nullif(nullif(greatest(least(div(CAST($1 AS numeric), nullif($2, 0)), "
     "9223372036854775808), -9223372036854775809), 9223372036854775808), "
     "-9223372036854775809) AS int8)"},
    {"/ real",
     "(SELECT CASE WHEN w = 0 THEN NULL WHEN abs(v) = CAST('infinity' AS float8) OR abs(w) = "
     "CAST('infinity' AS float8) THEN nullif(v / w, CAST('nan' AS float8)) WHEN abs(v) >= 1 AND "
     "abs(w) < 1 THEN CASE WHEN abs(v) > 1e130 AND abs(w) < 1e-200 THEN sign(v) * sign(w) * "
     "CAST('infinity' AS float8) WHEN abs(v / 1.3407807929942597e154) / abs(w * "
     "1.3407807929942597e154) >= 1 THEN sign(v) * sign(w) * CAST('infinity' AS float8) ELSE v / w "
     "END WHEN abs(v) BETWEEN 1e-300 AND 1 AND abs(w) < 1e-300 THEN CASE WHEN abs(v) / abs(w * "
     "1.3407807929942597e154) >= 1.3407807929942597e154 THEN sign(v) * sign(w) * CAST('infinity' "
     "AS float8) ELSE v / w END WHEN abs(v) < 1 AND abs(w) >= 1 THEN CASE WHEN abs(v * "
     "1.3407807929942597e154) / abs(w / 1.3407807929942597e154) <= 4.440892098500626e-16 THEN 0 "
     "ELSE v / w END ELSE v / w END FROM (SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"%",
     "(SELECT CASE WHEN v > -9223372036854775808 OR w <> -1 THEN v % w END FROM (SELECT $1 AS v, "
     "nullif($2, 0) AS w OFFSET 0) AS q)"},
    {"power",
     "(SELECT CASE WHEN v IS NULL OR w IS NULL OR (v = 0 AND w < 0) THEN NULL WHEN v < 0 AND w <> "
     "floor(w) THEN CASE WHEN abs(v) = CAST('infinity' AS float8) THEN CASE WHEN w > 0 THEN "
     "CAST('infinity' AS float8) ELSE 0 END END WHEN w = 1 THEN v WHEN v = 0 OR abs(v) = 1 OR w = "
     "0 OR abs(v) = CAST('infinity' AS float8) OR abs(w) = CAST('infinity' AS float8) THEN "
     "power(v, w) WHEN abs(w) < 1e-20 THEN 1 WHEN abs(w) > 1e20 THEN CASE WHEN (abs(v) > 1) = (w > "
     "0) THEN CAST('infinity' AS float8) ELSE 0 END WHEN w * ln(abs(v)) > 709.782712893 THEN CASE "
     "WHEN v < 0 AND w <> 2 * floor(w / 2) THEN - CAST('infinity' AS float8) ELSE CAST('infinity' "
     "AS float8) END WHEN w * ln(abs(v)) < -745.13321 THEN 0 ELSE power(v, w) END FROM (SELECT $1 "
     "AS v, $2 AS w OFFSET 0) AS q)"},
    {"#", "($1 # $2)"},
    {"abs",
     "CAST(nullif(nullif(greatest(least(abs(CAST($1 AS numeric)), 9223372036854775808), "
     "-9223372036854775809), 9223372036854775808), -9223372036854775809) AS int8)"},
    {"sign", "CAST(sign(CAST($1 AS float8)) AS int8)"},
    {"sign real", "sign($1)"},
    {"floor", "floor($1)"},
    {"ceil", "ceil($1)"},
    {"round",
     "(SELECT trunc(v) + CASE WHEN abs(v - trunc(v)) >= 0.5 THEN sign(v) ELSE 0 END FROM (SELECT "
     "$1 AS v OFFSET 0) AS q)"},
    {"round",
     "(SELECT CASE WHEN abs(v) < 1e-200 THEN 0 WHEN s IS NULL THEN v WHEN $2 < 0 THEN (trunc(s) + "
     "CASE WHEN abs(s - trunc(s)) >= 0.5 THEN sign(s) ELSE 0 END) * power(CAST(10 AS float8), - "
     "$2) ELSE (trunc(s) + CASE WHEN abs(s - trunc(s)) >= 0.5 THEN sign(s) ELSE 0 END) / "
     "power(CAST(10 AS float8), $2) END FROM (SELECT v, CASE WHEN abs(v) BETWEEN 1e-200 AND 1e270 "
     "THEN CASE WHEN $2 < 0 THEN v / power(CAST(10 AS float8), - $2) ELSE v * power(CAST(10 AS "
     "float8), $2) END END AS s FROM (SELECT $1 AS v OFFSET 0) AS p OFFSET 0) AS q)"},
    {"trunc", "trunc($1)"},
    {"trunc",
     "(SELECT CASE WHEN abs(v) < 1e-200 THEN 0 WHEN s IS NULL THEN v WHEN $2 < 0 THEN trunc(s) * "
     "power(CAST(10 AS float8), - $2) ELSE trunc(s) / power(CAST(10 AS float8), $2) END FROM "
     "(SELECT v, CASE WHEN abs(v) BETWEEN 1e-200 AND 1e270 THEN CASE WHEN $2 < 0 THEN v / "
     "power(CAST(10 AS float8), - $2) ELSE v * power(CAST(10 AS float8), $2) END END AS s FROM "
     "(SELECT $1 AS v OFFSET 0) AS p OFFSET 0) AS q)"},
    {"sqrt", "(SELECT CASE WHEN v >= 0 THEN sqrt(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"cbrt", "cbrt($1)"},
    {"exp",
     "(SELECT CASE WHEN v < -745.1332191019411 THEN 0 WHEN v >= 709.7827128933841 THEN "
     "CAST('infinity' AS float8) ELSE exp(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"ln", "(SELECT CASE WHEN v > 0 THEN ln(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"log10", "(SELECT CASE WHEN v > 0 THEN log(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"log",
     "(SELECT CASE WHEN v > 0 AND v <> 1 AND w > 0 THEN nullif(log(w) / log(v), CAST('nan' AS "
     "float8)) END FROM (SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"degrees",
     "(SELECT CASE WHEN abs(v) > 3.1375e306 THEN sign(v) * CAST('infinity' AS float8) ELSE "
     "degrees(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"radians",
     "(SELECT CASE WHEN abs(v) < 1.43e-322 THEN 0 ELSE radians(v) END FROM (SELECT $1 AS v OFFSET "
     "0) AS q)"},
    {"sin",
     "(SELECT CASE WHEN abs(v) < CAST('infinity' AS float8) THEN sin(v) END FROM (SELECT $1 AS v "
     "OFFSET 0) AS q)"},
    {"cos",
     "(SELECT CASE WHEN abs(v) < CAST('infinity' AS float8) THEN cos(v) END FROM (SELECT $1 AS v "
     "OFFSET 0) AS q)"},
    {"tan",
     "(SELECT CASE WHEN abs(v) < CAST('infinity' AS float8) THEN tan(v) END FROM (SELECT $1 AS v "
     "OFFSET 0) AS q)"},
    {"cot",
     "(SELECT CASE WHEN v <> 0 AND abs(v) < CAST('infinity' AS float8) THEN cot(v) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"asin", "(SELECT CASE WHEN abs(v) <= 1 THEN asin(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"acos", "(SELECT CASE WHEN abs(v) <= 1 THEN acos(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"atan", "atan($1)"},
    {"tanh", "tanh($1)"},
    {"asinh", "asinh($1)"},
    {"sinh", "sinh($1)"},
    {"cosh", "cosh($1)"},
    {"acosh", "(SELECT CASE WHEN v >= 1 THEN acosh(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"atanh",
     "(SELECT CASE WHEN abs(v) < 1 THEN atanh(v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"atan2", "atan2($1 + 0, $2 + 0)"},
    {"gcd",
     "CAST(nullif(nullif(greatest(least(gcd(CAST($1 AS numeric), CAST($2 AS numeric)), "
     "9223372036854775808), -9223372036854775809), 9223372036854775808), "
     "-9223372036854775809) AS int8)"},
    {"lcm",
     "CAST(nullif(nullif(greatest(least(lcm(CAST($1 AS numeric), CAST($2 AS numeric)), "
     "9223372036854775808), -9223372036854775809), 9223372036854775808), "
     "-9223372036854775809) AS int8)"},
    {"width_bucket",
     "(SELECT CASE WHEN v < $2 THEN 0 WHEN v >= $3 THEN $4 + 1 WHEN v - $2 < ($3 - $2) * 1e-9 THEN "
     "1 ELSE CAST(floor((v - $2) / ($3 - $2) * $4) AS int8) + 1 END FROM (SELECT $1 AS v OFFSET 0) "
     "AS q)"},
    {"length", "CAST(char_length($1) AS int8)"},
    {"octet_length", "CAST(octet_length($1) AS int8)"},
    {"bit_length", "CAST(bit_length($1) AS int8)"},
    {"lower", "left(lower($1 COLLATE \"und-x-icu\") COLLATE \"C\", 65536)"},
    {"upper", "left(upper($1 COLLATE \"und-x-icu\") COLLATE \"C\", 65536)"},
    {"btrim", "btrim($1)"},
    {"btrim", "btrim($1, $2)"},
    {"ltrim", "ltrim($1)"},
    {"ltrim", "ltrim($1, $2)"},
    {"rtrim", "rtrim($1)"},
    {"rtrim", "rtrim($1, $2)"},
    {"substring", "substring($1, CAST($2 AS int4))"},
    {"substring", "substring($1, CAST($2 AS int4), CAST($3 AS int4))"},
    {"left",
     "(SELECT left(v, CAST(CASE WHEN w > 1000000000 THEN 1000000000 WHEN w < -1000000000 "
     "THEN -1000000000 ELSE w END AS int4)) FROM (SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"right",
     "(SELECT right(v, CAST(CASE WHEN w > 1000000000 THEN 1000000000 WHEN w < -1000000000 "
     "THEN -1000000000 ELSE w END AS int4)) FROM (SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"strpos", "CAST(strpos(left($1, 65536), left($2, 256)) AS int8)"},
    {"replace",
     "left(replace(left($1, 65536 / greatest(char_length($3), 1)), left($2, 256), $3), 4096)"},
    {"translate", "translate($1, $2, $3)"},
    {"||", "left(left($1, 4096) || left($2, 4096), 4096)"},
    {"concat", "left(concat(VARIADIC ARRAY[$*]), 4096)"},
    {"concat_ws", "left(concat_ws($1, VARIADIC (ARRAY[$*])[2:]), 4096)"},
    {"repeat", "left(repeat(left($1, 1000), CAST($2 AS int4)), 4096)"},
    {"lpad", "lpad($1, CAST($2 AS int4))"},
    {"lpad", "lpad($1, CAST($2 AS int4), $3)"},
    {"rpad", "rpad($1, CAST($2 AS int4))"},
    {"rpad", "rpad($1, CAST($2 AS int4), $3)"},
    {"starts_with", "starts_with($1, $2)"},
    {"split_part", "split_part($1, $2, CAST($3 AS int4))"},
    {"ascii", "CAST(ascii($1) AS int8)"},
    {"chr",
     "(SELECT CASE WHEN v BETWEEN 1 AND 55295 OR v BETWEEN 57344 AND 1114111 THEN chr(CAST(v "
     "AS int4)) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"md5", "md5($1)"},
    {"like", "($1 LIKE $2)"},
    {"like", "($1 LIKE $2 ESCAPE $3)"},
    {"not like", "($1 NOT LIKE $2)"},
    {"not like", "($1 NOT LIKE $2 ESCAPE $3)"},
    {"ilike", "(($1 COLLATE \"und-x-icu\") ILIKE ($2 COLLATE \"und-x-icu\"))"},
    {"ilike", "(($1 COLLATE \"und-x-icu\") ILIKE ($2 COLLATE \"und-x-icu\") ESCAPE $3)"},
    {"not ilike", "(($1 COLLATE \"und-x-icu\") NOT ILIKE ($2 COLLATE \"und-x-icu\"))"},
    {"not ilike", "(($1 COLLATE \"und-x-icu\") NOT ILIKE ($2 COLLATE \"und-x-icu\") ESCAPE $3)"},
    {"~", kFound},
    {"~*", kFound},
    {"!~", kNotFound},
    {"!~*", kNotFound},
    {"extract year",
     "(SELECT CASE WHEN isfinite(v) AND extract(year FROM v) > 0 THEN CAST(extract(year FROM "
     "v) AS int8) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract isoyear",
     "(SELECT CASE WHEN isfinite(v) AND extract(isoyear FROM v) > 0 THEN "
     "CAST(extract(isoyear FROM v) AS int8) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract quarter",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(quarter FROM v) AS int8) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract month",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(month FROM v) AS int8) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract week",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(week FROM v) AS int8) END FROM (SELECT "
     "$1 AS v OFFSET 0) AS q)"},
    {"extract day",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(day FROM v) AS int8) END FROM (SELECT "
     "$1 AS v OFFSET 0) AS q)"},
    {"extract dow",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(dow FROM v) AS int8) END FROM (SELECT "
     "$1 AS v OFFSET 0) AS q)"},
    {"extract isodow",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(isodow FROM v) AS int8) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract doy",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(doy FROM v) AS int8) END FROM (SELECT "
     "$1 AS v OFFSET 0) AS q)"},
    {"extract epoch",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(epoch FROM v) AS float8) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract hour",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(hour FROM v) AS int8) END FROM (SELECT "
     "$1 AS v OFFSET 0) AS q)"},
    {"extract minute",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(minute FROM v) AS int8) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract second",
     "(SELECT CASE WHEN isfinite(v) THEN CAST(extract(second FROM v) AS float8) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"extract year of interval", "CAST(extract(year FROM $1) AS int8)"},
    {"extract month of interval", "CAST(extract(month FROM $1) AS int8)"},
    {"extract day of interval", "CAST(extract(day FROM $1) AS int8)"},
    {"extract hour of interval", "CAST(extract(hour FROM $1) AS int8)"},
    {"extract minute of interval", "CAST(extract(minute FROM $1) AS int8)"},
    {"extract second of interval", "CAST(extract(second FROM $1) AS float8)"},
    {"extract epoch of interval", "CAST(extract(epoch FROM $1) AS float8)"},
    {"date_trunc year",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('year', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"date_trunc quarter",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('quarter', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"date_trunc month",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('month', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"date_trunc week",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('week', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"date_trunc day",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('day', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"date_trunc hour",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('hour', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"date_trunc minute",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('minute', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"date_trunc second",
     "(SELECT CASE WHEN v > TIMESTAMP '4700-01-01 BC' OR NOT isfinite(v) THEN "
     "date_trunc('second', v) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"make_date",
     "(SELECT CASE WHEN y BETWEEN 1 AND 9999 AND m BETWEEN 1 AND 12 AND d BETWEEN 1 AND CASE "
     "WHEN m = 2 THEN CASE WHEN (y % 4 = 0 AND y % 100 <> 0) OR y % 400 = 0 THEN 29 ELSE 28 "
     "END WHEN m IN (4, 6, 9, 11) THEN 30 ELSE 31 END THEN make_date(CAST(y AS int4), CAST(m "
     "AS int4), CAST(d AS int4)) END FROM (SELECT $1 AS y, $2 AS m, $3 AS d OFFSET 0) AS q)"},
    {"make_timestamp",
     "(SELECT CASE WHEN y BETWEEN 1 AND 9999 AND m BETWEEN 1 AND 12 AND d BETWEEN 1 AND CASE "
     "WHEN m = 2 THEN CASE WHEN (y % 4 = 0 AND y % 100 <> 0) OR y % 400 = 0 THEN 29 ELSE 28 "
     "END WHEN m IN (4, 6, 9, 11) THEN 30 ELSE 31 END AND (h BETWEEN 0 AND 23 OR (h = 24 AND "
     "n = 0 AND s = 0)) AND n BETWEEN 0 AND 59 AND s >= 0 AND s < 60 THEN "
     "make_timestamp(CAST(y AS int4), CAST(m AS int4), CAST(d AS int4), CAST(h AS int4), "
     "CAST(n AS int4), s) END FROM (SELECT $1 AS y, $2 AS m, $3 AS d, $4 AS h, $5 AS n, $6 "
     "AS s OFFSET 0) AS q)"},
    {"date - date",
     "(SELECT CASE WHEN isfinite(v) AND isfinite(w) THEN CAST(v - w AS int8) END FROM "
     "(SELECT $1 AS v, $2 AS w OFFSET 0) AS q)"},
    {"date + integer",
     "(SELECT CASE WHEN NOT isfinite(v) THEN CASE WHEN w BETWEEN -2147483648 AND 2147483647 THEN v "
     "END WHEN w BETWEEN -100000000 AND 100000000 THEN CASE WHEN (v - DATE '2000-01-01') + w "
     "BETWEEN -2400000 AND 2100000000 THEN v + CAST(w AS int4) END END FROM (SELECT $1 AS v, $2 AS "
     "w OFFSET 0) AS q)"},
    {"integer + date",
     "(SELECT CASE WHEN NOT isfinite(v) THEN CASE WHEN w BETWEEN -2147483648 AND 2147483647 THEN v "
     "END WHEN w BETWEEN -100000000 AND 100000000 THEN CASE WHEN (v - DATE '2000-01-01') + w "
     "BETWEEN -2400000 AND 2100000000 THEN v + CAST(w AS int4) END END FROM (SELECT $2 AS v, $1 AS "
     "w OFFSET 0) AS q)"},
    {"date - integer",
     "(SELECT CASE WHEN NOT isfinite(v) THEN CASE WHEN w BETWEEN -2147483648 AND 2147483647 THEN v "
     "END WHEN w BETWEEN -100000000 AND 100000000 THEN CASE WHEN (v - DATE '2000-01-01') - w "
     "BETWEEN -2400000 AND 2100000000 THEN v - CAST(w AS int4) END END FROM (SELECT $1 AS v, $2 AS "
     "w OFFSET 0) AS q)"},
    // PostgreSQL adds months, days and time one after the other and fails where one of these leaves
    // its calendar, so what an interval has of each must be small, not only their sum.
    {"timestamp + interval",
     "(SELECT CASE WHEN NOT isfinite(v) AND w IS NOT NULL THEN v WHEN v BETWEEN TIMESTAMP "
     "'0001-01-01' AND TIMESTAMP '9999-12-31' AND w BETWEEN INTERVAL '-4000 years' AND "
     "INTERVAL '4000 years' AND abs(extract(year FROM w)) * 366 + abs(extract(day FROM w)) + "
     "abs(extract(hour FROM w)) / 24 < 1700000 THEN v + w END FROM (SELECT $1 AS v, $2 AS w "
     "OFFSET 0) AS q)"},
    {"interval + timestamp",
     "(SELECT CASE WHEN NOT isfinite(w) AND v IS NOT NULL THEN w WHEN w BETWEEN TIMESTAMP "
     "'0001-01-01' AND TIMESTAMP '9999-12-31' AND v BETWEEN INTERVAL '-4000 years' AND "
     "INTERVAL '4000 years' AND abs(extract(year FROM v)) * 366 + abs(extract(day FROM v)) + "
     "abs(extract(hour FROM v)) / 24 < 1700000 THEN w + v END FROM (SELECT $1 AS v, $2 AS w "
     "OFFSET 0) AS q)"},
    {"timestamp - interval",
     "(SELECT CASE WHEN NOT isfinite(v) AND w IS NOT NULL THEN v WHEN v BETWEEN TIMESTAMP "
     "'0001-01-01' AND TIMESTAMP '9999-12-31' AND w BETWEEN INTERVAL '-4000 years' AND "
     "INTERVAL '4000 years' AND abs(extract(year FROM w)) * 366 + abs(extract(day FROM w)) + "
     "abs(extract(hour FROM w)) / 24 < 1700000 THEN v - w END FROM (SELECT $1 AS v, $2 AS w "
     "OFFSET 0) AS q)"},
    {"timestamp - timestamp",
     "(SELECT CASE WHEN isfinite(v) AND isfinite(w) AND abs(extract(year FROM v) - "
     "extract(year FROM w)) < 200000 THEN v - w END FROM (SELECT $1 AS v, $2 AS w OFFSET 0) "
     "AS q)"},
    {"age",
     "(SELECT CASE WHEN isfinite(v) AND isfinite(w) THEN age(v, w) END FROM (SELECT $1 AS v, "
     "$2 AS w OFFSET 0) AS q)"},
    {"isfinite", "isfinite($1)"},
    {"date to timestamp",
     "(SELECT CASE WHEN v = DATE 'infinity' OR v < DATE '294000-01-01' THEN CAST(v AS "
     "timestamp) END FROM (SELECT $1 AS v OFFSET 0) AS q)"},
    {"cast number to smallint",
     "(SELECT CASE WHEN v BETWEEN -32768 AND 32767 THEN CAST(v AS int2) END FROM (SELECT $1 "
     "AS v OFFSET 0) AS q)"},
    {"cast real to smallint",
     "(SELECT CASE WHEN v BETWEEN -32768 AND 32767 THEN CAST(v AS int2) END FROM (SELECT trunc(v) "
     "+ CASE WHEN abs(v - trunc(v)) >= 0.5 THEN sign(v) ELSE 0 END AS v FROM (SELECT $1 AS v "
     "OFFSET 0) AS p OFFSET 0) AS q)"},
    {"cast boolean to smallint", "CAST(CAST($1 AS int4) AS int2)"},
    {"cast text to smallint",
     "(SELECT CASE WHEN v BETWEEN -32768 AND 32767 THEN CAST(v AS int2) END FROM (SELECT "
     "CAST(substring($1 FROM '^[ \\t\\n\\v\\f\\r]*([+-]?[0-9]{1,25})[ \\t\\n\\v\\f\\r]*\\Z') "
     "AS numeric) AS v OFFSET 0) AS q)"},
    {"cast number to integer",
     "(SELECT CASE WHEN v BETWEEN -2147483648 AND 2147483647 THEN CAST(v AS int4) END FROM "
     "(SELECT $1 AS v OFFSET 0) AS q)"},
    {"cast real to integer",
     "(SELECT CASE WHEN v BETWEEN -2147483648 AND 2147483647 THEN CAST(v AS int4) END FROM (SELECT "
     "trunc(v) + CASE WHEN abs(v - trunc(v)) >= 0.5 THEN sign(v) ELSE 0 END AS v FROM (SELECT $1 "
     "AS v OFFSET 0) AS p OFFSET 0) AS q)"},
    {"cast boolean to integer", "CAST(CAST($1 AS int4) AS int4)"},
    {"cast text to integer",
     "(SELECT CASE WHEN v BETWEEN -2147483648 AND 2147483647 THEN CAST(v AS int4) END FROM "
     "(SELECT CAST(substring($1 FROM '^[ \\t\\n\\v\\f\\r]*([+-]?[0-9]{1,25})[ "
     "\\t\\n\\v\\f\\r]*\\Z') AS numeric) AS v OFFSET 0) AS q)"},
    {"cast number to bigint", "CAST($1 AS int8)"},
    {"cast real to bigint",
     "(SELECT CASE WHEN v BETWEEN -9223372036854775808 AND 9223372036854774784 THEN CAST(v AS "
     "int8) END FROM (SELECT trunc(v) + CASE WHEN abs(v - trunc(v)) >= 0.5 THEN sign(v) ELSE 0 END "
     "AS v FROM (SELECT $1 AS v OFFSET 0) AS p OFFSET 0) AS q)"},
    {"cast boolean to bigint", "CAST(CAST($1 AS int4) AS int8)"},
    {"cast text to bigint",
     "(SELECT CASE WHEN v BETWEEN -9223372036854775808 AND 9223372036854775807 THEN CAST(v "
     "AS int8) END FROM (SELECT CAST(substring($1 FROM '^[ "
     "\\t\\n\\v\\f\\r]*([+-]?[0-9]{1,25})[ \\t\\n\\v\\f\\r]*\\Z') AS numeric) AS v OFFSET 0) "
     "AS q)"},
    {"cast number to decimal",
     "(SELECT CASE WHEN abs(v) < power(CAST(10 AS numeric), $2 - $3) - CAST(0.5 AS numeric) "
     "* power(CAST(10 AS numeric), - $3) THEN CAST(v AS numeric($2, $3)) END FROM (SELECT "
     "CAST($1 AS numeric) AS v OFFSET 0) AS q)"},
    {"cast text to boolean",
     "CASE lower(btrim($1, E' \\t\\n\\v\\f\\r') COLLATE \"C\") WHEN 't' THEN TRUE WHEN 'tr' THEN "
     "TRUE WHEN "
     "'tru' THEN TRUE WHEN 'true' THEN TRUE WHEN 'y' THEN TRUE WHEN 'ye' THEN TRUE WHEN "
     "'yes' THEN TRUE WHEN 'on' THEN TRUE WHEN '1' THEN TRUE WHEN 'f' THEN FALSE WHEN 'fa' "
     "THEN FALSE WHEN 'fal' THEN FALSE WHEN 'fals' THEN FALSE WHEN 'false' THEN FALSE WHEN "
     "'n' THEN FALSE WHEN 'no' THEN FALSE WHEN 'of' THEN FALSE WHEN 'off' THEN FALSE WHEN "
     "'0' THEN FALSE END"},
    {"cast value to text",
     "regexp_replace(CAST($1 AS text), '^([^ ]+)( [^ ]+)? BC\\Z', '\\1 (BC)\\2')"},
    {"cast timestamp to date", "CAST($1 AS date)"},
};

constexpr Dialect::Type kTypes[] = {
    {"bool", "boolean"},
    {"int2", "int2"},
    {"int4", "int4"},
    {"int8", "int8"},
    {"float4", "float4"},
    {"float8", "float8"},
    {"numeric", "numeric"},
    {"varchar", "varchar"},
    {"text", "text"},
    {"date", "date"},
    {"time", "time"},
    {"timestamp", "timestamp"},
    {"timestamptz", "timestamptz"},
    {"interval", "interval"},
    {"uuid", "uuid"},
};

constexpr Dialect::Refusal kRefusals[] = {
    {"least interval", "PostgreSQL orders intervals by their length"},
    {"greatest interval", "PostgreSQL orders intervals by their length"},
    {"cast real to decimal", "PostgreSQL rounds a DOUBLE to 15 digits first"},
    {"max uuid", "PostgreSQL has no largest of UUIDs"},
    {"min uuid", "PostgreSQL has no least of UUIDs"},
    {"reverse", "PostgreSQL parts letters from their accents"},
    {"% real", "PostgreSQL has no remainder of doubles"},
    {"cast text to double", "PostgreSQL fails on a number beyond DOUBLE"},
    {"cast number to real", "PostgreSQL fails on a number beyond REAL"},
    {"cast text to decimal", "PostgreSQL fails on a number beyond NUMERIC"},
    {"cast text to date", "PostgreSQL fails on a day that does not exist"},
    {"cast text to timestamp", "PostgreSQL fails on a day that does not exist"},
};

constexpr Dialect kPostgreSql("postgresql", kFunctions, kTypes, kRefusals,
                              {.tables_schema = "",
                               .regexes = RegexStyle::kPostgreSql,
                               .most_columns = 1600,  // it fails from 1,665 on
                               .gives_groups = true});

}  // namespace

const Dialect& PostgreSqlDialect() { return kPostgreSql; }

}  // namespace dpsql
