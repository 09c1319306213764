#include "base/type.h"

#include <array>
#include <utility>

#include "base/names.h"

namespace dpsql {
namespace {

constexpr auto kFamilies = std::to_array<std::pair<std::string_view, TypeFamily>>({
    {"BOOLEAN", TypeFamily::kBoolean},
    {"TINYINT", TypeFamily::kInteger},
    {"SMALLINT", TypeFamily::kInteger},
    {"INTEGER", TypeFamily::kInteger},
    {"BIGINT", TypeFamily::kInteger},
    {"UTINYINT", TypeFamily::kInteger},
    {"USMALLINT", TypeFamily::kInteger},
    {"UINTEGER", TypeFamily::kInteger},
    {"UBIGINT", TypeFamily::kDecimal},
    {"HUGEINT", TypeFamily::kDecimal},
    {"UHUGEINT", TypeFamily::kDecimal},
    {"DECIMAL", TypeFamily::kDecimal},
    {"FLOAT", TypeFamily::kFloat},
    {"DOUBLE", TypeFamily::kFloat},
    {"VARCHAR", TypeFamily::kText},
    {"UUID", TypeFamily::kUuid},
    {"DATE", TypeFamily::kDate},
    {"TIMESTAMP", TypeFamily::kTimestamp},
});

}  // namespace

Type ParseType(std::string_view name) {
  const std::string upper = ToUpper(name);
  const std::string_view base = std::string_view(upper).substr(0, upper.find('('));
  for (const auto& [known, family] : kFamilies) {
    if (base == known) return {.family = family, .name = upper};
  }
  return {.family = TypeFamily::kOther, .name = upper};
}

}  // namespace dpsql
