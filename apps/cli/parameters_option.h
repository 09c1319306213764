#pragma once

#include <string>
#include <vector>

#include "dpsql/parameters.h"
#include "dpsql/result.h"

namespace dpsql::cli {

inline constexpr const char* kParameterHelp =
    "The value of $name in the SQL, name=value or name:type=value; may be repeated";

// Reads the values of --param: `name=value`, whose type follows from the value, or
// `name:type=value`. The error is one of usage, with the fix as hint.
Result<Parameters> ReadParameters(const std::vector<std::string>& texts);

}  // namespace dpsql::cli
