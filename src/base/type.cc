#include "base/type.h"

#include <array>
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

}  // namespace

Type ParseType(std::string_view name) {
  const std::string upper = ToUpper(name);
  if (IsDecimal(upper)) return {.family = TypeFamily::kDecimal, .name = upper};
  for (const auto& [known, family] : kFamilies) {
    if (upper == known) return {.family = family, .name = upper};
  }
  return {.family = TypeFamily::kOther, .name = upper};
}

}  // namespace dpsql
