#include <array>

#include "validate/interval_rules.h"

namespace dpsql {
namespace {

using enum Nulls;

// What cannot be converted is NULL. A cast that changes nothing has the key "+", the value itself.
// DOUBLE has no cast to text: databases do not agree on its digits.
constexpr auto kFunctions = std::to_array<ScalarFunction>({
    {"cast boolean", "b", "BOOLEAN", "itself", "itself", kFromArguments},
    {"cast boolean", "i", "BOOLEAN", "cast integer to boolean", "whether it is not 0",
     kFromArguments},
    {"cast boolean", "t", "BOOLEAN", "cast text to boolean",
     "true, yes, on, 1 and their opposites, or the first letters; else NULL"},
    {"cast smallint", "i", "SMALLINT", "cast number to smallint", "itself; NULL on overflow",
     kPossible, intervals::Same},
    {"cast smallint", "r", "SMALLINT", "cast real to smallint",
     "rounded, halves away from zero; NULL on overflow", kPossible, intervals::Round},
    {"cast smallint", "b", "SMALLINT", "cast boolean to smallint", "1 or 0", kFromArguments,
     intervals::Range<0, 1>, "CAST of a boolean"},
    {"cast smallint", "t", "SMALLINT", "cast text to smallint", "digits with a sign; else NULL"},
    {"cast integer", "i", "INTEGER", "cast number to integer", "itself; NULL on overflow",
     kPossible, intervals::Same},
    {"cast integer", "r", "INTEGER", "cast real to integer",
     "rounded, halves away from zero; NULL on overflow", kPossible, intervals::Round},
    {"cast integer", "b", "INTEGER", "cast boolean to integer", "1 or 0", kFromArguments,
     intervals::Range<0, 1>, "CAST of a boolean"},
    {"cast integer", "t", "INTEGER", "cast text to integer", "digits with a sign; else NULL"},
    {"cast bigint", "i", "BIGINT", "cast number to bigint", "itself; NULL on overflow", kPossible,
     intervals::Same},
    {"cast bigint", "r", "BIGINT", "cast real to bigint",
     "rounded, halves away from zero; NULL on overflow", kPossible, intervals::Round},
    {"cast bigint", "b", "BIGINT", "cast boolean to bigint", "1 or 0", kFromArguments,
     intervals::Range<0, 1>, "CAST of a boolean"},
    {"cast bigint", "t", "BIGINT", "cast text to bigint", "digits with a sign; else NULL"},
    {"cast double precision", "r", "DOUBLE", "itself", "itself", kFromArguments, intervals::Same},
    {"cast double precision", "t", "DOUBLE", "cast text to double",
     "a number, infinity or -infinity; else NULL"},
    {"cast real", "r", "FLOAT", "cast number to real", "rounded to 24 bits; NULL on overflow"},
    {"cast decimal", "xmk", "DECIMAL", "cast number to decimal",
     "rounded, halves away from zero; NULL on overflow"},
    {"cast decimal", "rmk", "DECIMAL", "cast real to decimal",
     "rounded, halves away from zero; NULL on overflow"},
    {"cast decimal", "tmk", "DECIMAL", "cast text to decimal", "a number; else NULL"},
    {"cast text", "t", "VARCHAR", "itself", "itself", kFromArguments},
    {"cast text", "b", "VARCHAR", "cast value to text", "true or false", kFromArguments},
    {"cast text", "x", "VARCHAR", "cast value to text", "digits", kFromArguments},
    {"cast text", "d", "VARCHAR", "cast value to text", "YYYY-MM-DD", kFromArguments},
    {"cast text", "z", "VARCHAR", "cast value to text", "YYYY-MM-DD HH:MM:SS", kFromArguments},
    {"cast text", "u", "VARCHAR", "cast value to text", "with small letters and dashes",
     kFromArguments},
    {"cast varchar", "tm", "VARCHAR", "left", "the first m characters", kFromArguments},
    {"cast date", "d", "DATE", "itself", "itself", kFromArguments},
    {"cast date", "z", "DATE", "cast timestamp to date", "the day"},
    {"cast date", "t", "DATE", "cast text to date", "YYYY-MM-DD; else NULL"},
    {"cast timestamp", "s", "TIMESTAMP", "itself", "itself; the start of a day"},
    {"cast timestamp", "t", "TIMESTAMP", "cast text to timestamp",
     "YYYY-MM-DD, or with HH:MM:SS behind it; else NULL"},
});

}  // namespace

std::span<const ScalarFunction> CastFunctions() { return kFunctions; }

}  // namespace dpsql
