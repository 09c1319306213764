#include "sql/dialect.h"

namespace dpsql {
namespace {

// Every text is total: where DuckDB would raise an error that depends on a row (overflow), TRY
// makes it NULL. Arguments come in brackets or quotes from the printer, never bare.
constexpr Dialect::Function kFunctions[] = {
    {"=", "($1 = $2)"},
    {"<>", "($1 <> $2)"},
    {"<", "($1 < $2)"},
    {"<=", "($1 <= $2)"},
    {">", "($1 > $2)"},
    {">=", "($1 >= $2)"},
    {"is distinct from", "($1 IS DISTINCT FROM $2)"},
    {"is not distinct from", "($1 IS NOT DISTINCT FROM $2)"},
    {"+", "TRY(($1 + $2))"},
    {"+", "(+ $1)"},
    {"-", "TRY(($1 - $2))"},
    {"-", "TRY((- $1))"},
    {"*", "TRY(($1 * $2))"},
    {"real +", "($1 + $2)"},  // of doubles that are known to be far from overflow
    {"real -", "($1 - $2)"},
    {"real *", "($1 * $2)"},
    {"||", "($1 || $2)"},
    {"like", "($1 LIKE $2)"},
    {"not like", "($1 NOT LIKE $2)"},
    {"abs", "TRY(abs($1))"},
    {"ceil", "ceil($1)"},
    {"coalesce", "coalesce($*)"},
    {"floor", "floor($1)"},
    {"greatest", "greatest($*)"},
    {"isfinite", "isfinite($1)"},
    {"isnan", "isnan($1)"},
    {"least", "least($*)"},
    {"length", "length($1)"},
    {"lower", "lower($1)"},
    {"nullif", "nullif($1, $2)"},
    {"round", "round($1)"},
    {"round", "round($1, $2)"},
    {"upper", "upper($1)"},
    {"avg", "avg($*)"},
    {"bool_and", "bool_and($*)"},
    {"bool_or", "bool_or($*)"},
    {"count", "count($*)"},
    {"max", "max($*)"},
    {"min", "min($*)"},
    {"sum", "sum($*)"},
    {"row_number", "row_number($*)"},
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
