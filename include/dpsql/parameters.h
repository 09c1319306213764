#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dpsql/result.h"

namespace dpsql {

enum class ParameterType { kNull, kBoolean, kInteger, kDecimal, kDouble, kDate, kTimestamp, kText };

// The value that a $name of a statement stands for. It means what the literal of its type would
// mean in the same place, and is never read as SQL.
struct Parameter {
  ParameterType type = ParameterType::kNull;
  std::string text;

  static Parameter Null() { return {}; }
  static Parameter Boolean(bool value);
  static Parameter Integer(std::int64_t value);
  static Parameter Decimal(std::string digits);  // "12.50"
  static Parameter Double(double value);
  static Parameter Date(std::string day);        // "2026-01-31"
  static Parameter Timestamp(std::string time);  // "2026-01-31 12:00:00"
  static Parameter Text(std::string text);

  // A value whose type nobody said: an integer, a decimal, true or false where it reads as one,
  // else text. A number does not begin with a needless zero: 01067 is text.
  static Parameter Untyped(std::string text);
};

// By the name without its dollar sign.
using Parameters = std::map<std::string, Parameter>;

// "integer" and its like; nothing for a name that is none.
std::optional<ParameterType> FindParameterType(std::string_view name);

// All names that FindParameterType knows, for messages.
std::string ParameterTypeNames();

// Whether `$name` can be written: a letter or _, then letters, digits and _; at most 63 bytes.
bool IsParameterName(std::string_view name);

// Refuses a text that is no value of its type (P108). Whether a day exists is seen where it is
// used, as with a literal.
Status CheckParameter(std::string_view name, const Parameter& parameter);

}  // namespace dpsql
