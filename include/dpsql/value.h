#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace dpsql {

// One cell of an answer. Exact types that have no machine form (DECIMAL, HUGEINT, DATE, TIMESTAMP)
// are their canonical text.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

inline bool IsNull(const Value& value) { return std::holds_alternative<std::monostate>(value); }

// As plain text, with every digit; NULL is "NULL".
std::string ToText(const Value& value);

}  // namespace dpsql
