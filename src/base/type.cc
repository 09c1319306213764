#include "base/type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/names.h"

namespace dpsql {
namespace {

constexpr auto kFamilies = std::to_array<std::pair<std::string_view, TypeFamily>>({
    {"BOOLEAN", TypeFamily::kBoolean},   {"TINYINT", TypeFamily::kInteger},
    {"SMALLINT", TypeFamily::kInteger},  {"INTEGER", TypeFamily::kInteger},
    {"BIGINT", TypeFamily::kInteger},    {"UTINYINT", TypeFamily::kInteger},
    {"USMALLINT", TypeFamily::kInteger}, {"UINTEGER", TypeFamily::kInteger},
    {"UBIGINT", TypeFamily::kDecimal},   {"HUGEINT", TypeFamily::kDecimal},
    {"UHUGEINT", TypeFamily::kDecimal},  {"DECIMAL", TypeFamily::kDecimal},
    {"FLOAT", TypeFamily::kFloat},       {"DOUBLE", TypeFamily::kFloat},
    {"VARCHAR", TypeFamily::kText},      {"UUID", TypeFamily::kUuid},
    {"DATE", TypeFamily::kDate},         {"TIMESTAMP", TypeFamily::kTimestamp},
    {"INTERVAL", TypeFamily::kInterval},
});

// DECIMAL(p,s), and nothing behind it: DECIMAL(p,s)[] is a list, not a number.
bool IsDecimal(std::string_view name) {
  constexpr std::string_view kPrefix = "DECIMAL(";
  const std::size_t close = name.find(')');
  return name.starts_with(kPrefix) && close == name.size() - 1 &&
         name.find_first_not_of("0123456789,", kPrefix.size()) == close;
}

std::optional<int> ReadNumber(std::string_view digits) {
  int number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

bool IsWholeName(const Type& type) {
  constexpr auto kWhole = std::to_array<std::string_view>(
      {"TIME", "TIME WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE", "BLOB", "BIT"});
  return type.family != TypeFamily::kOther ||
         std::find(kWhole.begin(), kWhole.end(), type.name) != kWhole.end();
}

std::optional<DecimalDigits> DigitsOf(const Type& type) {
  std::string_view name = type.name;
  if (!IsDecimal(name)) return std::nullopt;
  name.remove_prefix(name.find('(') + 1);
  name.remove_suffix(1);
  const std::size_t comma = name.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto precision = ReadNumber(name.substr(0, comma));
  const auto scale = ReadNumber(name.substr(comma + 1));
  if (!precision || !scale) return std::nullopt;
  return DecimalDigits{*precision, *scale};
}

Type ParseType(std::string_view name) {
  const std::string upper = ToUpper(name);
  if (IsDecimal(upper)) return {.family = TypeFamily::kDecimal, .name = upper};
  for (const auto& [known, family] : kFamilies) {
    if (upper == known) return {.family = family, .name = upper};
  }
  // Labels of an ENUM and fields of a STRUCT may be values of the data: they end here.
  const bool plain = upper.starts_with("DECIMAL");
  return {.family = TypeFamily::kOther, .name = plain ? upper : upper.substr(0, upper.find('('))};
}

}  // namespace dpsql
