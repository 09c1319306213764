#include <array>

#include "validate/interval_rules.h"

namespace dpsql {
namespace {

using enum Nulls;

// AND, OR, NOT, the tests, IN and CASE are words of the syntax tree and have no key.
constexpr auto kFunctions = std::to_array<ScalarFunction>({
    {"=", "aa", "BOOLEAN", "=", "equal", kFromArguments},
    {"<>", "aa", "BOOLEAN", "<>", "not equal; != is the same", kFromArguments},
    {"<", "aa", "BOOLEAN", "<", "less", kFromArguments},
    {"<=", "aa", "BOOLEAN", "<=", "at most", kFromArguments},
    {">", "aa", "BOOLEAN", ">", "more", kFromArguments},
    {">=", "aa", "BOOLEAN", ">=", "at least", kFromArguments},
    {"is distinct from", "aa", "BOOLEAN", "is distinct from", "not equal, where NULL equals NULL",
     kNever},
    {"is not distinct from", "aa", "BOOLEAN", "is not distinct from",
     "equal, where NULL equals NULL", kNever},
    {"and", "b+", "BOOLEAN", "", "both; FALSE beside NULL is FALSE", kFromArguments},
    {"or", "b+", "BOOLEAN", "", "either; TRUE beside NULL is TRUE", kFromArguments},
    {"not", "b", "BOOLEAN", "", "the opposite", kFromArguments},
    {"is null", "a", "BOOLEAN", "", "has no value; NaN counts as none", kNever},
    {"is not null", "a", "BOOLEAN", "", "has a value", kNever},
    {"is true", "b", "BOOLEAN", "", "is TRUE", kNever},
    {"is not true", "b", "BOOLEAN", "", "is FALSE or NULL", kNever},
    {"is false", "b", "BOOLEAN", "", "is FALSE", kNever},
    {"is not false", "b", "BOOLEAN", "", "is TRUE or NULL", kNever},
    {"is unknown", "b", "BOOLEAN", "", "is NULL", kNever},
    {"is not unknown", "b", "BOOLEAN", "", "is TRUE or FALSE", kNever},
    {"in", "aa+", "BOOLEAN", "", "equal to one of a list", kFromArguments},
    {"case", "ba+", "", "", "the result of the first condition that is TRUE; CASE x WHEN y too",
     kPossible, intervals::CaseHull},
    {"coalesce", "a+", "", "coalesce", "the first argument that is not NULL", kFromAll,
     intervals::Hull},
    {"nullif", "aa", "", "nullif", "NULL where both are equal, else the first", kPossible,
     intervals::Same},
    {"greatest", "a+", "", "greatest", "the largest; NULLs are passed over", kFromAll},
    {"least", "a+", "", "least", "the smallest; NULLs are passed over", kFromAll},
});

}  // namespace

std::span<const ScalarFunction> LogicFunctions() { return kFunctions; }

}  // namespace dpsql
