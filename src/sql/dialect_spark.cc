#include "sql/dialect.h"

namespace dpsql {
namespace {

// Spark in ANSI mode: try_add and its like are NULL where the plain operators raise an error. A
// lambda names an argument that is needed twice. Days are those of the years 1 to 9999.
constexpr Dialect::Function kFunctions[] = {
    {"is distinct from", "(NOT ($1 <=> $2))"},
    {"is not distinct from", "($1 <=> $2)"},
    {"sum of powers", "sum(CAST($* AS DECIMAL(38,0)))"},
    {"addend", "CAST($1 AS DECIMAL(38,0))"},
    {"floor unguarded", "floor($1)"},
    {"wide", "CAST($1 AS DECIMAL(38,0))"},
    {"wide div", "($1 div $2)"},
    {"wide sum or null", "try_sum($*)"},
    {"root guess", "CAST(floor(sqrt(CAST($1 AS DOUBLE) / $2)) AS BIGINT)"},
    {"date text", "CAST($1 AS STRING)"},
    {"timestamp text", "CAST($1 AS STRING)"},
    {"key text", "coalesce(concat('s', CAST(octet_length($1) AS STRING), ':', $1), 'n')"},
    {"keyed hash", "xxhash64($*)"},
    {"+", "try_add($1, $2)"},
    {"+ real", "nanvl(($1 + $2), CAST(NULL AS DOUBLE))"},
    {"-", "try_subtract($1, $2)"},
    {"- real", "nanvl(($1 - $2), CAST(NULL AS DOUBLE))"},
    {"*", "try_multiply($1, $2)"},
    {"* real", "nanvl(($1 * $2), CAST(NULL AS DOUBLE))"},
    {"negate", "try_subtract(CAST(0 AS BIGINT), $1)"},
    {"/",
     "transform(array(struct($1 AS a, nullif($2, CAST(0 AS BIGINT)) AS b)), p -> CASE WHEN p.a > "
     "-9223372036854775807 - 1 OR p.b <> -1 THEN p.a div p.b END)[0]"},
    {"/ real", "nanvl(($1 / nullif($2, CAST(0 AS DOUBLE))), CAST(NULL AS DOUBLE))"},
    {"%",
     "transform(array(struct($1 AS a, nullif($2, CAST(0 AS BIGINT)) AS b)), p -> CASE WHEN p.a > "
     "-9223372036854775807 - 1 OR p.b <> -1 THEN p.a % p.b END)[0]"},
    {"% real", "nanvl(($1 % nullif($2, CAST(0 AS DOUBLE))), CAST(NULL AS DOUBLE))"},
    {"power",
     "nanvl(transform(array(struct($1 AS a, $2 AS b)), p -> CASE WHEN abs(p.a) = 1 AND abs(p.b) = "
     "CAST('infinity' AS DOUBLE) THEN 1 WHEN p.a <> 0 OR p.b >= 0 THEN power(p.a, p.b) END)[0], "
     "CAST(NULL AS DOUBLE))"},
    {"#", "($1 ^ $2)"},
    {"abs", "transform(array($1), v -> CASE WHEN v > -9223372036854775807 - 1 THEN abs(v) END)[0]"},
    {"sign", "CAST(sign($1) AS BIGINT)"},
    {"sign real", "sign($1)"},
    {"ceil",
     "transform(array($1), v -> CASE WHEN abs(v) < 4503599627370496D THEN CAST(ceil(v) AS DOUBLE) "
     "ELSE v END)[0]"},
    {"floor",
     "transform(array($1), v -> CASE WHEN abs(v) < 4503599627370496D THEN CAST(floor(v) AS DOUBLE) "
     "ELSE v END)[0]"},
    {"round", "round($1)"},
    {"trunc",
     "transform(array($1), v -> CASE WHEN abs(v) < 4503599627370496D THEN CAST(CAST(v AS BIGINT) "
     "AS DOUBLE) ELSE v END)[0]"},
    {"trunc",
     "transform(transform(transform(array($1), v -> struct(v AS v, CASE WHEN $2 < 0 THEN v / "
     "power(10, - $2) ELSE v * power(10, $2) END AS s)), p -> struct(p.v AS v, CASE WHEN $2 < 0 "
     "THEN CASE WHEN abs(p.s) < 4503599627370496D THEN CAST(CAST(p.s AS BIGINT) AS DOUBLE) ELSE "
     "p.s END * power(10, - $2) ELSE CASE WHEN abs(p.s) < 4503599627370496D THEN CAST(CAST(p.s AS "
     "BIGINT) AS DOUBLE) ELSE p.s END / power(10, $2) END AS r)), p -> CASE WHEN p.v IS NULL THEN "
     "CAST(NULL AS DOUBLE) WHEN abs(p.r) < CAST('infinity' AS DOUBLE) THEN p.r WHEN abs(p.v) = "
     "CAST('infinity' AS DOUBLE) THEN p.v WHEN $2 < 0 THEN 0 ELSE p.v END)[0]"},
    {"round",
     "transform(transform(array($1), v -> struct(v AS v, CASE WHEN $2 < 0 THEN round(v / power(10, "
     "- $2)) * power(10, - $2) ELSE round(v * power(10, $2)) / power(10, $2) END AS r)), p -> CASE "
     "WHEN p.v IS NULL THEN CAST(NULL AS DOUBLE) WHEN abs(p.r) < CAST('infinity' AS DOUBLE) THEN "
     "p.r WHEN abs(p.v) = CAST('infinity' AS DOUBLE) THEN p.v WHEN $2 < 0 THEN 0 ELSE p.v END)[0]"},
    {"sqrt", "nanvl(sqrt($1), CAST(NULL AS DOUBLE))"},
    {"cbrt", "cbrt($1)"},
    {"exp", "exp($1)"},
    {"ln", "transform(array($1), v -> CASE WHEN v > 0 THEN ln(v) END)[0]"},
    {"log10", "transform(array($1), v -> CASE WHEN v > 0 THEN log10(v) END)[0]"},
    {"log",
     "nanvl(transform(array(struct($1 AS a, $2 AS b)), p -> CASE WHEN p.a > 0 AND p.a <> 1 "
     "AND p.b > 0 THEN log(p.a, p.b) END)[0], CAST(NULL AS DOUBLE))"},
    {"degrees", "degrees($1)"},
    {"radians", "radians($1)"},
    {"sin", "nanvl(sin($1), CAST(NULL AS DOUBLE))"},
    {"cos", "nanvl(cos($1), CAST(NULL AS DOUBLE))"},
    {"tan", "nanvl(tan($1), CAST(NULL AS DOUBLE))"},
    {"cot",
     "nanvl(transform(array($1), v -> CASE WHEN v <> 0 THEN cot(v) END)[0], CAST(NULL AS "
     "DOUBLE))"},
    {"asin", "nanvl(asin($1), CAST(NULL AS DOUBLE))"},
    {"acos", "nanvl(acos($1), CAST(NULL AS DOUBLE))"},
    {"atan", "atan($1)"},
    {"atan2", "atan2($1, $2)"},
    {"tanh", "tanh($1)"},
    {"sinh", "sinh($1)"},
    {"cosh", "cosh($1)"},
    {"atanh", "transform(array($1), v -> CASE WHEN abs(v) < 1 THEN atanh(v) END)[0]"},
    {"width_bucket",
     "transform(array($1), v -> CASE WHEN v < $2 THEN 0 WHEN v >= $3 THEN $4 + 1 ELSE "
     "CAST(floor((v - $2) / ($3 - $2) * $4) AS BIGINT) + 1 END)[0]"},
    {"length", "CAST(char_length($1) AS BIGINT)"},
    {"octet_length", "CAST(octet_length($1) AS BIGINT)"},
    {"bit_length", "CAST(bit_length($1) AS BIGINT)"},
    {"lower", "left(lower($1), 65536)"},  // a letter can become three
    {"upper", "left(upper($1), 65536)"},
    {"btrim", "trim(BOTH ' ' FROM $1)"},
    {"btrim", "trim(BOTH $2 FROM $1)"},
    {"ltrim", "trim(LEADING ' ' FROM $1)"},
    {"ltrim", "trim(LEADING $2 FROM $1)"},
    {"rtrim", "trim(TRAILING ' ' FROM $1)"},
    {"rtrim", "trim(TRAILING $2 FROM $1)"},
    {"substring", "substring($1, CAST($2 AS INT))"},
    {"substring", "substring($1, CAST($2 AS INT), CAST($3 AS INT))"},
    {"left",
     "transform(array(struct($1 AS a, $2 AS n)), p -> CASE WHEN p.n >= 0 THEN left(p.a, "
     "CAST(least(p.n, 1000000000) AS INT)) WHEN p.n < 0 THEN left(p.a, "
     "CAST(greatest(length(p.a) + greatest(p.n, -1000000000), 0) AS INT)) END)[0]"},
    {"right",
     "transform(array(struct($1 AS a, $2 AS n)), p -> CASE WHEN p.n >= 0 THEN right(p.a, "
     "CAST(least(p.n, 1000000000) AS INT)) WHEN p.n < 0 THEN right(p.a, "
     "CAST(greatest(length(p.a) + greatest(p.n, -1000000000), 0) AS INT)) END)[0]"},
    {"strpos", "CAST(instr(left($1, 65536), left($2, 256)) AS BIGINT)"},
    {"replace",
     "left(replace(left($1, 65536 div greatest(char_length($3), 1)), left($2, 256), $3), 4096)"},
    {"translate", "translate($1, $2, $3)"},
    {"||", "left(left($1, 4096) || left($2, 4096), 4096)"},
    {"concat", "left(concat_ws('', $*), 4096)"},
    {"concat_ws", "left(concat_ws($*), 4096)"},
    {"repeat", "left(repeat(left($1, 1000), CAST($2 AS INT)), 4096)"},
    {"lpad", "lpad($1, CAST($2 AS INT))"},
    {"lpad", "lpad($1, CAST($2 AS INT), $3)"},
    {"rpad", "rpad($1, CAST($2 AS INT))"},
    {"rpad", "rpad($1, CAST($2 AS INT), $3)"},
    {"starts_with", "startswith($1, $2)"},
    {"split_part", "split_part($1, $2, CAST($3 AS INT))"},
    {"ascii", "CAST(ascii($1) AS BIGINT)"},
    {"md5", "md5(CAST($1 AS BINARY))"},
    {"like", "($1 RLIKE $2)"},  // sql/pattern_call.h
    {"not like", "(NOT ($1 RLIKE $2))"},
    {"ilike", "(lower($1) RLIKE $2)"},
    {"not ilike", "(NOT (lower($1) RLIKE $2))"},
    {"~", "(left($1, 65536) RLIKE $2)"},
    {"~*", "(left($1, 65536) RLIKE $2)"},
    {"!~", "(NOT (left($1, 65536) RLIKE $2))"},
    {"!~*", "(NOT (left($1, 65536) RLIKE $2))"},
    {"extract year",
     "transform(array($1), v -> CASE WHEN extract(YEAR FROM v) > 0 THEN CAST(extract(YEAR "
     "FROM v) AS BIGINT) END)[0]"},
    {"extract isoyear",
     "transform(array($1), v -> CASE WHEN extract(YEAROFWEEK FROM v) > 0 THEN "
     "CAST(extract(YEAROFWEEK FROM v) AS BIGINT) END)[0]"},
    {"extract quarter", "CAST(extract(QUARTER FROM $1) AS BIGINT)"},
    {"extract month", "CAST(extract(MONTH FROM $1) AS BIGINT)"},
    {"extract week", "CAST(extract(WEEK FROM $1) AS BIGINT)"},
    {"extract day", "CAST(extract(DAY FROM $1) AS BIGINT)"},
    {"extract dow", "(CAST(extract(DAYOFWEEK FROM $1) AS BIGINT) - 1)"},
    {"extract isodow", "CAST(extract(DAYOFWEEK_ISO FROM $1) AS BIGINT)"},
    {"extract doy", "CAST(extract(DOY FROM $1) AS BIGINT)"},
    {"extract epoch",
     "transform(array(CAST($1 AS TIMESTAMP_NTZ)), v -> CAST(datediff(CAST(v AS DATE), DATE "
     "'1970-01-01') AS DOUBLE) * 86400 + extract(HOUR FROM v) * 3600 + extract(MINUTE FROM v) * 60 "
     "+ CAST(extract(SECOND FROM v) AS DOUBLE))[0]"},
    {"extract hour", "CAST(extract(HOUR FROM $1) AS BIGINT)"},
    {"extract minute", "CAST(extract(MINUTE FROM $1) AS BIGINT)"},
    {"extract second", "CAST(extract(SECOND FROM $1) AS DOUBLE)"},
    {"date_trunc year", "date_trunc('YEAR', $1)"},
    {"date_trunc quarter", "date_trunc('QUARTER', $1)"},
    {"date_trunc month", "date_trunc('MONTH', $1)"},
    {"date_trunc week", "date_trunc('WEEK', $1)"},
    {"date_trunc day", "date_trunc('DAY', $1)"},
    {"date_trunc hour", "date_trunc('HOUR', $1)"},
    {"date_trunc minute", "date_trunc('MINUTE', $1)"},
    {"date_trunc second", "date_trunc('SECOND', $1)"},
    {"make_date",
     "transform(array(struct($1 AS y, $2 AS m, $3 AS d)), p -> CASE WHEN p.y BETWEEN 1 AND 9999 "
     "AND p.m BETWEEN 1 AND 12 AND p.d BETWEEN 1 AND CASE WHEN p.m = 2 THEN CASE WHEN (p.y % 4 = 0 "
     "AND p.y % 100 <> 0) OR p.y % 400 = 0 THEN 29 ELSE 28 END WHEN p.m IN (4, 6, 9, 11) THEN 30 "
     "ELSE 31 END THEN make_date(CAST(p.y AS INT), CAST(p.m AS INT), CAST(p.d AS INT)) END)[0]"},
    {"date - date", "CAST(datediff($1, $2) AS BIGINT)"},
    {"date - integer",
     "transform(array(struct($1 AS d, $2 AS n)), p -> CASE WHEN p.n BETWEEN -10000000 AND 10000000 "
     "AND datediff(p.d, DATE '1970-01-01') - p.n BETWEEN -719162 AND 2932896 THEN date_sub(p.d, "
     "CAST(p.n AS INT)) END)[0]"},
    {"integer + date",
     "transform(array(struct($2 AS d, $1 AS n)), p -> CASE WHEN p.n BETWEEN -10000000 AND 10000000 "
     "AND datediff(p.d, DATE '1970-01-01') + p.n BETWEEN -719162 AND 2932896 THEN date_add(p.d, "
     "CAST(p.n AS INT)) END)[0]"},
    {"date + integer",
     "transform(array(struct($1 AS d, $2 AS n)), p -> CASE WHEN p.n BETWEEN -10000000 AND 10000000 "
     "AND datediff(p.d, DATE '1970-01-01') + p.n BETWEEN -719162 AND 2932896 THEN date_add(p.d, "
     "CAST(p.n AS INT)) END)[0]"},
    {"date to timestamp", "TRY_CAST($1 AS TIMESTAMP_NTZ)"},
    {"cast number to smallint", "TRY_CAST($1 AS SMALLINT)"},
    {"cast real to smallint", "TRY_CAST(round($1) AS SMALLINT)"},
    {"cast boolean to smallint", "CAST($1 AS SMALLINT)"},
    {"cast text to smallint",
     "TRY_CAST(nullif(regexp_extract($1, '^[ "
     "\\\\t\\\\n\\\\x0B\\\\f\\\\r]*([+-]?[0-9]{1,25})[ \\\\t\\\\n\\\\x0B\\\\f\\\\r]*\\\\z', "
     "1), '') AS SMALLINT)"},
    {"cast number to integer", "TRY_CAST($1 AS INT)"},
    {"cast real to integer", "TRY_CAST(round($1) AS INT)"},
    {"cast boolean to integer", "CAST($1 AS INT)"},
    {"cast text to integer",
     "TRY_CAST(nullif(regexp_extract($1, '^[ "
     "\\\\t\\\\n\\\\x0B\\\\f\\\\r]*([+-]?[0-9]{1,25})[ \\\\t\\\\n\\\\x0B\\\\f\\\\r]*\\\\z', "
     "1), '') AS INT)"},
    {"cast number to bigint", "TRY_CAST($1 AS BIGINT)"},
    {"cast real to bigint",
     "transform(array(round($1)), v -> CASE WHEN v < 9223372036854775808D THEN TRY_CAST(v AS "
     "BIGINT) END)[0]"},
    {"cast boolean to bigint", "CAST($1 AS BIGINT)"},
    {"cast text to bigint",
     "TRY_CAST(nullif(regexp_extract($1, '^[ "
     "\\\\t\\\\n\\\\x0B\\\\f\\\\r]*([+-]?[0-9]{1,25})[ \\\\t\\\\n\\\\x0B\\\\f\\\\r]*\\\\z', "
     "1), '') AS BIGINT)"},
    {"cast number to decimal", "TRY_CAST($1 AS DECIMAL($2, $3))"},
    {"cast text to boolean",
     "CASE lower(trim(BOTH concat(' ', char(9), char(10), char(11), char(12), char(13)) FROM "
     "$1)) WHEN 't' THEN TRUE WHEN 'tr' THEN TRUE WHEN 'tru' THEN TRUE WHEN 'true' THEN TRUE "
     "WHEN 'y' THEN TRUE WHEN 'ye' THEN TRUE WHEN 'yes' THEN TRUE WHEN 'on' THEN TRUE WHEN "
     "'1' THEN TRUE WHEN 'f' THEN FALSE WHEN 'fa' THEN FALSE WHEN 'fal' THEN FALSE WHEN "
     "'fals' THEN FALSE WHEN 'false' THEN FALSE WHEN 'n' THEN FALSE WHEN 'no' THEN FALSE "
     "WHEN 'of' THEN FALSE WHEN 'off' THEN FALSE WHEN '0' THEN FALSE END"},
    {"cast value to text", "CAST($1 AS STRING)"},
    {"cast timestamp to date", "CAST($1 AS DATE)"},
};

constexpr Dialect::Type kTypes[] = {
    {"bool", "BOOLEAN"},
    {"int2", "SMALLINT"},
    {"int4", "INT"},
    {"int8", "BIGINT"},
    {"float4", "FLOAT"},
    {"float8", "DOUBLE"},
    {"numeric", "DECIMAL"},
    {"varchar", "STRING"},
    {"text", "STRING"},
    {"date", "DATE"},
    {"timestamp", "TIMESTAMP_NTZ"},
    {"timestamptz", "TIMESTAMP"},
};

constexpr Dialect::Refusal kRefusals[] = {
    {"sum of a unit", "Spark's sum of whole numbers fails on overflow"},
    {"cast real to decimal", "Spark rounds the digits of a DOUBLE, not its value"},
    {"reverse", "Spark parts letters from their accents"},
    {"acosh", "Spark's acosh loses digits"},
    {"asinh", "Spark's asinh loses digits"},
    {"gcd", "Spark has no function for it"},
    {"lcm", "Spark has no function for it"},
    {"chr", "Spark's chr knows 256 characters"},
    {"extract year of interval", "Spark has two kinds of intervals"},
    {"extract month of interval", "Spark has two kinds of intervals"},
    {"extract day of interval", "Spark has two kinds of intervals"},
    {"extract hour of interval", "Spark has two kinds of intervals"},
    {"extract minute of interval", "Spark has two kinds of intervals"},
    {"extract second of interval", "Spark has two kinds of intervals"},
    {"extract epoch of interval", "Spark has two kinds of intervals"},
    {"make_timestamp", "Spark's make_timestamp fails on a day that does not exist"},
    {"timestamp + interval", "Spark has two kinds of intervals"},
    {"interval + timestamp", "Spark has two kinds of intervals"},
    {"timestamp - interval", "Spark has two kinds of intervals"},
    {"timestamp - timestamp", "Spark has two kinds of intervals"},
    {"age", "Spark has two kinds of intervals"},
    {"isfinite", "Spark has no infinite dates"},
    {"cast text to double", "Spark reads letters behind a number as its type"},
    {"cast number to real", "Spark's cast makes an infinity of a number beyond FLOAT"},
    {"cast text to decimal", "Spark reads letters behind a number as its type"},
    {"cast text to date", "Spark reads a part of a date as one"},
    {"cast text to timestamp", "Spark reads a part of a date as one"},
};

constexpr Dialect kSpark("spark", kFunctions, kTypes, kRefusals,
                         {.identifier_quote = '`',
                          .backslash_escapes = true,
                          .tables_schema = "",
                          .regexes = RegexStyle::kJava,
                          .group_frames = false,
                          .gives_groups = true,
                          .enforces_keys = false});

}  // namespace

const Dialect& SparkDialect() { return kSpark; }

}  // namespace dpsql
