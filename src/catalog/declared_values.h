#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/type.h"
#include "dpsql/value.h"

namespace dpsql {

// Why a list of known keys cannot be one of a column.
struct ValuesFlaw {
  std::string message;
  std::string hint;
};

// What is wrong with the `values` that a policy lists for a column, or nothing.
// Ensures: without a flaw each value is one that a column of this type can hold, and none is there
// twice. They stand in statements and in released tables as values of that type, where another one
// would end a query that is paid for; and backend/magnitude.h takes a key for as small as its type.
std::optional<ValuesFlaw> FindValuesFlaw(const std::string& column, const Type& type,
                                         const std::vector<Value>& values);

}  // namespace dpsql
