#include "dpsql/parameters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error_codes.h"
#include "base/utf8.h"
#include "sql/limits.h"
#include "sql/number_text.h"

namespace dpsql {
namespace {

struct TypeText {
  std::string_view name;
  ParameterType type;
  std::string_view noun;     // of a message
  std::string_view example;  // of a hint
};

constexpr std::array<TypeText, 8> kTypes = {{
    {"integer", ParameterType::kInteger, "an integer of 64 bits", "5"},
    {"decimal", ParameterType::kDecimal, "a decimal number", "12.5"},
    {"double", ParameterType::kDouble, "a finite number", "1e6"},
    {"boolean", ParameterType::kBoolean, "true or false", "true"},
    {"text", ParameterType::kText, "text", "Berlin"},
    {"date", ParameterType::kDate, "a date", "2026-01-31"},
    {"timestamp", ParameterType::kTimestamp, "a timestamp", "2026-01-31 12:00:00"},
    {"null", ParameterType::kNull, "empty, as that of a NULL is", ""},
}};

const TypeText& TextOf(ParameterType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(),
                       [type](const TypeText& known) { return known.type == type; });
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

template <typename Number>
bool Reads(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && stop == end;
}

bool IsInteger(std::string_view text) { return IsNumber(text) && Reads<std::int64_t>(text); }

// As a literal in a statement is read: one beyond the largest double is none.
bool IsFinite(std::string_view text) { return IsNumber(text) && Reads<double>(text); }

bool HasNeedlessZero(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  return number.size() > 1 && number[0] == '0' && IsDigit(number[1]);
}

bool IsOfType(const Parameter& parameter) {
  const std::string& text = parameter.text;
  switch (parameter.type) {
    case ParameterType::kNull:
      return text.empty();
    case ParameterType::kBoolean:
      return text == "true" || text == "false";
    case ParameterType::kInteger:
      return IsInteger(text);
    case ParameterType::kDecimal:
    case ParameterType::kDouble:
      return IsFinite(text);
    default:
      return true;
  }
}

Error Refuse(std::string_view name, std::string_view fault, std::string hint) {
  std::string message = "the value of $";
  message.append(name).append(fault);
  return MakeError(ErrorCode::kBadParameter, std::move(message), {}, std::move(hint));
}

}  // namespace

Parameter Parameter::Boolean(bool value) {
  return {ParameterType::kBoolean, value ? "true" : "false"};
}

Parameter Parameter::Integer(std::int64_t value) {
  return {ParameterType::kInteger, std::to_string(value)};
}

Parameter Parameter::Decimal(std::string digits) {
  return {ParameterType::kDecimal, std::move(digits)};
}

Parameter Parameter::Double(double value) {
  std::array<char, 32> digits{};
  const auto [end, failure] = std::to_chars(digits.begin(), digits.end(), value);
  return {ParameterType::kDouble, std::string(digits.begin(), end)};
}

Parameter Parameter::Date(std::string day) { return {ParameterType::kDate, std::move(day)}; }

Parameter Parameter::Timestamp(std::string time) {
  return {ParameterType::kTimestamp, std::move(time)};
}

Parameter Parameter::Text(std::string text) { return {ParameterType::kText, std::move(text)}; }

Parameter Parameter::Untyped(std::string text) {
  if (text == "true" || text == "false") return {ParameterType::kBoolean, std::move(text)};
  if (HasNeedlessZero(text)) return Text(std::move(text));
  if (IsInteger(text)) return {ParameterType::kInteger, std::move(text)};
  if (IsFinite(text)) return Decimal(std::move(text));
  return Text(std::move(text));
}

std::optional<ParameterType> FindParameterType(std::string_view name) {
  for (const TypeText& known : kTypes) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

std::string ParameterTypeNames() {
  std::string names;
  for (const TypeText& known : kTypes) names.append(names.empty() ? "" : ", ").append(known.name);
  return names;
}

bool IsParameterName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && IsLetter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return IsLetter(c) || IsDigit(c); });
}

Status CheckParameter(std::string_view name, const Parameter& parameter) {
  if (parameter.text.find('\0') != std::string::npos) {
    return Refuse(name, " holds a NUL byte", "leave the byte out");
  }
  if (ValidUtf8Prefix(parameter.text) != parameter.text.size()) {
    return Refuse(name, " is not valid UTF-8", "send it as UTF-8");
  }
  if (IsOfType(parameter)) return Done{};
  const TypeText& type = TextOf(parameter.type);
  std::string fault = " is not ";
  std::string hint = "write  --param ";
  hint.append(name).append(":").append(type.name).append("=").append(type.example);
  return Refuse(name, fault.append(type.noun), std::move(hint));
}

}  // namespace dpsql
