#include "sql/dialect.h"

namespace dpsql {
namespace {

// SQLite turns an overflowing whole number into a double, which `typeof` finds. It has
// mathematics only in some builds. Dates and timestamps are texts, of the years 1
// to 9999 and in the one form in which the order of texts is theirs; see backend/sqlite_values.h,
// and backend/sqlite_functions.h for the functions of our own.
constexpr Dialect::Function kFunctions[] = {
    {"nan to null", "$1"},
    {"date text", "CAST($1 AS TEXT)"},
    {"timestamp text", "CAST($1 AS TEXT)"},
    // A statement that hands its rows over; see backend/sqlite_functions.h.
    {"rows handed over", "dpsql_rows($*)"},
    {"sum", "dpsql_sum($*)"},
    {"sum of steps", "dpsql_sum($*)"},
    {"sum of powers", "dpsql_sum($*)"},
    {"sum of a unit", "dpsql_sum($*)"},
    {"greatest", "dpsql_greatest($*)"},
    {"least", "dpsql_least($*)"},
    {"greatest text", "dpsql_greatest($*)"},
    {"least text", "dpsql_least($*)"},
    {"bool_and", "min($*)"},
    {"bool_or", "max($*)"},
    {"is distinct from", "($1 IS NOT $2)"},
    {"is not distinct from", "($1 IS $2)"},
    {"+", "(SELECT CASE WHEN typeof(v) = 'integer' THEN v END FROM (SELECT $1 + $2 AS v) AS q)"},
    {"+ real", "($1 + $2)"},
    {"-", "(SELECT CASE WHEN typeof(v) = 'integer' THEN v END FROM (SELECT $1 - $2 AS v) AS q)"},
    {"- real", "($1 - $2)"},
    {"*", "(SELECT CASE WHEN typeof(v) = 'integer' THEN v END FROM (SELECT $1 * $2 AS v) AS q)"},
    {"* real", "($1 * $2)"},
    {"negate",
     "(SELECT CASE WHEN typeof(v) = 'integer' THEN v END FROM (SELECT 0 - $1 AS v) AS q)"},
    {"/", "(SELECT CASE WHEN typeof(v) = 'integer' THEN v END FROM (SELECT $1 / $2 AS v) AS q)"},
    {"/ real", "($1 / nullif($2, 0))"},
    {"%",
     "(SELECT CASE WHEN v > -9223372036854775807 - 1 OR w <> -1 THEN v % w END FROM (SELECT $1 AS "
     "v, nullif($2, 0) AS w) AS q)"},
    {"#", "(SELECT (v | w) - (v & w) FROM (SELECT $1 AS v, $2 AS w) AS q)"},
    {"abs",
     "(SELECT CASE WHEN v > -9223372036854775807 - 1 THEN abs(v) END FROM (SELECT $1 AS v) "
     "AS q)"},
    {"sign",
     "(SELECT CASE WHEN v > 0 THEN 1 WHEN v < 0 THEN -1 WHEN v = 0 THEN 0 END FROM (SELECT "
     "$1 AS v) AS q)"},
    {"sign real",
     "(SELECT CASE WHEN v > 0 THEN 1.0 WHEN v < 0 THEN -1.0 WHEN v = 0 THEN 0.0 END FROM "
     "(SELECT $1 AS v) AS q)"},
    {"floor",
     "(SELECT CASE WHEN abs(v) < 4503599627370496.0 THEN CAST(v AS INTEGER) - CASE WHEN v < CAST(v "
     "AS INTEGER) THEN 1.0 ELSE 0.0 END ELSE v END FROM (SELECT $1 AS v) AS q)"},
    {"ceil",
     "(SELECT CASE WHEN abs(v) < 4503599627370496.0 THEN CAST(v AS INTEGER) + CASE WHEN v > CAST(v "
     "AS INTEGER) THEN 1.0 ELSE 0.0 END ELSE v END FROM (SELECT $1 AS v) AS q)"},
    {"round",
     "(SELECT CASE WHEN abs(v) < 4503599627370496.0 THEN CAST(v AS INTEGER) + CASE WHEN abs(v - "
     "CAST(v AS INTEGER)) < 0.5 THEN 0.0 WHEN v < 0 THEN -1.0 ELSE 1.0 END ELSE v END FROM (SELECT "
     "$1 AS v) AS q)"},
    {"trunc",
     "(SELECT CASE WHEN abs(v) < 4503599627370496.0 THEN CAST(CAST(v AS INTEGER) AS REAL) ELSE v "
     "END FROM (SELECT $1 AS v) AS q)"},
    {"width_bucket",
     "(SELECT CASE WHEN v < $2 THEN 0 WHEN v >= $3 THEN $4 + 1 ELSE CAST((v - $2) / ($3 - "
     "$2) * $4 AS INTEGER) + 1 END FROM (SELECT $1 AS v) AS q)"},
    {"length", "length($1)"},
    {"octet_length", "length(CAST($1 AS BLOB))"},
    {"bit_length", "(8 * length(CAST($1 AS BLOB)))"},
    {"btrim", "trim($1)"},
    {"btrim", "trim($1, $2)"},
    {"ltrim", "ltrim($1)"},
    {"ltrim", "ltrim($1, $2)"},
    {"rtrim", "rtrim($1)"},
    {"rtrim", "rtrim($1, $2)"},
    {"substring", "substr($1, $2)"},
    {"substring", "substr($1, $2, $3)"},
    {"left",
     "(SELECT CASE WHEN w >= 0 THEN substr(v, 1, min(w, 1000000000)) WHEN w < 0 THEN "
     "substr(v, 1, max(0, length(v) + w)) END FROM (SELECT $1 AS v, $2 AS w) AS q)"},
    {"right",
     "(SELECT CASE WHEN w > 0 THEN substr(v, -min(w, length(v))) WHEN w = 0 THEN substr(v, "
     "1, 0) WHEN w < 0 THEN substr(v, 1 + min(length(v), -max(w, -1000000000))) END FROM "
     "(SELECT $1 AS v, $2 AS w) AS q)"},
    {"strpos", "instr(substr($1, 1, 65536), substr($2, 1, 256))"},
    {"replace",
     "(SELECT substr(replace(substr(v, 1, 65536 / max(length(w), 1)), substr($2, 1, 256), w), 1, "
     "4096) FROM "
     "(SELECT $1 AS v, $3 AS w) AS q)"},
    {"like", "dpsql_like($1, $2)"},
    {"like", "dpsql_like($1, $2, $3)"},
    {"not like", "(NOT dpsql_like($1, $2))"},
    {"not like", "(NOT dpsql_like($1, $2, $3))"},
    {"~", "dpsql_matches(substr($1, 1, 65536), $2)"},
    {"~*", "dpsql_matches(substr($1, 1, 65536), $2, 'i')"},
    {"!~", "(NOT dpsql_matches(substr($1, 1, 65536), $2))"},
    {"!~*", "(NOT dpsql_matches(substr($1, 1, 65536), $2, 'i'))"},
    {"||", "substr(substr($1, 1, 4096) || substr($2, 1, 4096), 1, 4096)"},
    {"starts_with", "(SELECT substr(v, 1, length(w)) = w FROM (SELECT $1 AS v, $2 AS w) AS q)"},
    {"ascii", "dpsql_ascii($1)"},  // its own unicode() takes U+FFFE and U+FFFF for malformed
    {"chr",
     "(SELECT CASE WHEN v BETWEEN 1 AND 55295 OR v BETWEEN 57344 AND 1114111 THEN char(v) "
     "END FROM (SELECT $1 AS v) AS q)"},
    {"extract year", "CAST(substr($1, 1, 4) AS INTEGER)"},
    {"extract quarter", "((CAST(substr($1, 6, 2) AS INTEGER) + 2) / 3)"},
    {"extract month", "CAST(substr($1, 6, 2) AS INTEGER)"},
    {"extract day", "CAST(substr($1, 9, 2) AS INTEGER)"},
    {"extract dow", "CAST(strftime('%w', substr($1, 1, 10)) AS INTEGER)"},
    {"extract isodow", "((CAST(strftime('%w', substr($1, 1, 10)) AS INTEGER) + 6) % 7 + 1)"},
    {"extract doy", "CAST(strftime('%j', substr($1, 1, 10)) AS INTEGER)"},
    {"extract hour", "CAST(substr($1, 12, 2) AS INTEGER)"},
    {"extract minute", "CAST(substr($1, 15, 2) AS INTEGER)"},
    {"extract second", "CAST(substr($1, 18) AS REAL)"},
    {"date_trunc year", "(substr($1, 1, 4) || '-01-01 00:00:00')"},
    {"date_trunc month", "(substr($1, 1, 7) || '-01 00:00:00')"},
    {"date_trunc day", "(substr($1, 1, 10) || ' 00:00:00')"},
    {"date_trunc hour", "(substr($1, 1, 13) || ':00:00')"},
    {"date_trunc minute", "(substr($1, 1, 16) || ':00')"},
    {"date_trunc second", "substr($1, 1, 19)"},
    {"date - date", "CAST(julianday($1) - julianday($2) AS INTEGER)"},
    {"date + integer", "dpsql_date(date($1, $2 || ' days'))"},
    {"integer + date", "dpsql_date(date($2, $1 || ' days'))"},
    {"date - integer", "dpsql_date(date($1, (0.0 - $2) || ' days'))"},
    {"isfinite", "CASE WHEN $1 IS NOT NULL THEN TRUE END"},
    {"date to timestamp", "($1 || ' 00:00:00')"},
    {"cast timestamp to date", "substr($1, 1, 10)"},
    {"cast number to smallint",
     "(SELECT CASE WHEN v BETWEEN -32768 AND 32767 THEN v END FROM (SELECT $1 AS v) AS q)"},
    {"cast real to smallint",
     "(SELECT CASE WHEN v BETWEEN -32768 AND 32767 THEN CAST(v AS INTEGER) END FROM (SELECT CASE "
     "WHEN abs(v) < 4503599627370496.0 THEN CAST(v AS INTEGER) + CASE WHEN abs(v - CAST(v AS "
     "INTEGER)) < 0.5 THEN 0.0 WHEN v < 0 THEN -1.0 ELSE 1.0 END END AS v FROM (SELECT $1 AS v) AS "
     "p) AS q)"},
    {"cast boolean to smallint", "CAST($1 AS INTEGER)"},
    {"cast number to integer",
     "(SELECT CASE WHEN v BETWEEN -2147483648 AND 2147483647 THEN v END FROM (SELECT $1 AS "
     "v) AS q)"},
    {"cast real to integer",
     "(SELECT CASE WHEN v BETWEEN -2147483648 AND 2147483647 THEN CAST(v AS INTEGER) END FROM "
     "(SELECT CASE WHEN abs(v) < 4503599627370496.0 THEN CAST(v AS INTEGER) + CASE WHEN abs(v - "
     "CAST(v AS INTEGER)) < 0.5 THEN 0.0 WHEN v < 0 THEN -1.0 ELSE 1.0 END END AS v FROM (SELECT "
     "$1 AS v) AS p) AS q)"},
    {"cast boolean to integer", "CAST($1 AS INTEGER)"},
    {"cast number to bigint", "$1"},
    {"cast real to bigint",
     "(SELECT CASE WHEN abs(v) < 4503599627370496.0 THEN CAST(CAST(v AS INTEGER) + CASE WHEN abs(v "
     "- CAST(v AS INTEGER)) < 0.5 THEN 0.0 WHEN v < 0 THEN -1.0 ELSE 1.0 END AS INTEGER) WHEN v "
     "BETWEEN -9223372036854775808.0 AND 9223372036854774784.0 THEN CAST(v AS INTEGER) END FROM "
     "(SELECT $1 AS v) AS q)"},
    {"cast boolean to bigint", "CAST($1 AS INTEGER)"},
    {"cast text to boolean",
     "CASE lower(trim($1, char(32, 9, 10, 11, 12, 13))) WHEN 't' THEN TRUE WHEN 'tr' THEN "
     "TRUE WHEN 'tru' THEN TRUE WHEN 'true' THEN TRUE WHEN 'y' THEN TRUE WHEN 'ye' THEN TRUE "
     "WHEN 'yes' THEN TRUE WHEN 'on' THEN TRUE WHEN '1' THEN TRUE WHEN 'f' THEN FALSE WHEN "
     "'fa' THEN FALSE WHEN 'fal' THEN FALSE WHEN 'fals' THEN FALSE WHEN 'false' THEN FALSE "
     "WHEN 'n' THEN FALSE WHEN 'no' THEN FALSE WHEN 'of' THEN FALSE WHEN 'off' THEN FALSE "
     "WHEN '0' THEN FALSE END"},
};

constexpr Dialect::Type kTypes[] = {
    {"bool", "INTEGER"}, {"int2", "INTEGER"}, {"int4", "INTEGER"},
    {"int8", "INTEGER"}, {"float8", "REAL"},  {"varchar", "TEXT"},
    {"text", "TEXT"},    {"date", "TEXT"},    {"timestamp", "TEXT"},
};

constexpr Dialect::Refusal kRefusals[] = {
    {"cast real to decimal", "SQLite has no exact decimals"},
    {"trunc", "SQLite has no exact tens to cut at"},
    {"% real", "SQLite's % cuts its operands to whole numbers"},
    {"power", "SQLite has no function for it in every build"},
    {"round", "SQLite's round knows no digits before the point"},
    {"sqrt", "SQLite has no function for it in every build"},
    {"cbrt", "SQLite has no function for it in every build"},
    {"exp", "SQLite has no function for it in every build"},
    {"ln", "SQLite has no function for it in every build"},
    {"log10", "SQLite has no function for it in every build"},
    {"log", "SQLite has no function for it in every build"},
    {"degrees", "SQLite has no function for it in every build"},
    {"radians", "SQLite has no function for it in every build"},
    {"sin", "SQLite has no function for it in every build"},
    {"cos", "SQLite has no function for it in every build"},
    {"tan", "SQLite has no function for it in every build"},
    {"cot", "SQLite has no function for it in every build"},
    {"asin", "SQLite has no function for it in every build"},
    {"acos", "SQLite has no function for it in every build"},
    {"atan", "SQLite has no function for it in every build"},
    {"tanh", "SQLite has no function for it in every build"},
    {"asinh", "SQLite has no function for it in every build"},
    {"sinh", "SQLite has no function for it in every build"},
    {"cosh", "SQLite has no function for it in every build"},
    {"acosh", "SQLite has no function for it in every build"},
    {"atanh", "SQLite has no function for it in every build"},
    {"atan2", "SQLite has no function for it in every build"},
    {"gcd", "SQLite has no function for it"},
    {"lcm", "SQLite has no function for it"},
    {"lower", "SQLite changes the case of ASCII letters only"},
    {"upper", "SQLite changes the case of ASCII letters only"},
    {"translate", "SQLite has no function for it"},
    {"concat", "SQLite has no function for it in every build"},
    {"concat_ws", "SQLite has no function for it in every build"},
    {"reverse", "SQLite has no function for it"},
    {"repeat", "SQLite has no function for it"},
    {"lpad", "SQLite has no function for it"},
    {"rpad", "SQLite has no function for it"},
    {"split_part", "SQLite has no function for it"},
    {"md5", "SQLite has no function for it"},
    {"ilike", "SQLite's LIKE compares the case of letters beyond ASCII"},
    {"not ilike", "SQLite's LIKE compares the case of letters beyond ASCII"},
    {"extract isoyear", "SQLite has no type of dates"},
    {"extract week", "SQLite has no type of dates"},
    {"extract epoch", "SQLite has no type of dates"},
    {"greatest interval", "SQLite has no intervals"},
    {"least interval", "SQLite has no intervals"},
    {"extract year of interval", "SQLite has no intervals"},
    {"extract month of interval", "SQLite has no intervals"},
    {"extract day of interval", "SQLite has no intervals"},
    {"extract hour of interval", "SQLite has no intervals"},
    {"extract minute of interval", "SQLite has no intervals"},
    {"extract second of interval", "SQLite has no intervals"},
    {"extract epoch of interval", "SQLite has no intervals"},
    {"date_trunc quarter", "SQLite has no type of dates"},
    {"date_trunc week", "SQLite has no type of dates"},
    {"make_date", "SQLite has no type of dates"},
    {"make_timestamp", "SQLite has no type of dates"},
    {"timestamp + interval", "SQLite has no type of dates"},
    {"interval + timestamp", "SQLite has no type of dates"},
    {"timestamp - interval", "SQLite has no type of dates"},
    {"timestamp - timestamp", "SQLite has no type of dates"},
    {"age", "SQLite has no type of dates"},
    {"cast text to smallint", "SQLite has no regular expressions to read it with"},
    {"cast text to integer", "SQLite has no regular expressions to read it with"},
    {"cast text to bigint", "SQLite has no regular expressions to read it with"},
    {"cast text to double", "SQLite has no regular expressions to read it with"},
    {"cast number to real", "SQLite has no REAL of 24 bits"},
    {"cast number to decimal", "SQLite has no exact decimals"},
    {"cast text to decimal", "SQLite has no exact decimals"},
    {"cast value to text", "SQLite spells booleans and dates as they are stored"},
    {"cast text to date", "SQLite has no type of dates"},
    {"cast text to timestamp", "SQLite has no type of dates"},
};

constexpr Dialect kSqlite("sqlite", kFunctions, kTypes, kRefusals,
                          {.tables_schema = "",
                           .set_brackets = false,
                           .cross_join = "INNER JOIN ",
                           .regexes = RegexStyle::kOwn});

}  // namespace

const Dialect& SqliteDialect() { return kSqlite; }

}  // namespace dpsql
