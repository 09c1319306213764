#include "catalog/declared_values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <variant>

#include "base/check.h"

namespace dpsql {
namespace {

struct WholeRange {
  std::string_view type;
  std::int64_t low;
  std::int64_t high;
};

template <typename T>
constexpr WholeRange RangeOf(std::string_view type) {
  return {type, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

// Every type of the family of integers.
constexpr std::array<WholeRange, 7> kWholeRanges = {{
    RangeOf<std::int8_t>("TINYINT"),
    RangeOf<std::int16_t>("SMALLINT"),
    RangeOf<std::int32_t>("INTEGER"),
    RangeOf<std::int64_t>("BIGINT"),
    RangeOf<std::uint8_t>("UTINYINT"),
    RangeOf<std::uint16_t>("USMALLINT"),
    RangeOf<std::uint32_t>("UINTEGER"),
}};

bool IsOfFamily(const Value& value, TypeFamily family) {
  switch (family) {
    case TypeFamily::kText:
      return std::holds_alternative<std::string>(value);
    case TypeFamily::kInteger:
      return std::holds_alternative<std::int64_t>(value);
    case TypeFamily::kBoolean:
      return std::holds_alternative<bool>(value);
    default:
      return false;
  }
}

std::optional<ValuesFlaw> FindOutside(const std::string& column, const Type& type,
                                      const std::vector<Value>& values) {
  const auto* const range =
      std::find_if(kWholeRanges.begin(), kWholeRanges.end(),
                   [&](const WholeRange& known) { return known.type == type.name; });
  Check(range != kWholeRanges.end(), "each type of whole numbers has its range");
  for (const Value& value : values) {
    const std::int64_t whole = std::get<std::int64_t>(value);
    if (range->low <= whole && whole <= range->high) continue;
    return ValuesFlaw{
        "no " + column + " can be " + std::to_string(whole) + ": its type is " + type.name,
        type.name + " holds whole numbers from " + std::to_string(range->low) + " to " +
            std::to_string(range->high)};
  }
  return std::nullopt;
}

// The printer of SQL has no way to write such a text.
bool HoldsNul(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && text->find('\0') != std::string::npos;
}

}  // namespace

std::optional<ValuesFlaw> FindValuesFlaw(const std::string& column, const Type& type,
                                         const std::vector<Value>& values) {
  const std::set<Value> distinct(values.begin(), values.end());
  if (distinct.size() != values.size()) {
    return ValuesFlaw{"a value of " + column + " is listed twice", "leave one of them out"};
  }
  const auto fits = [&](const Value& value) { return IsOfFamily(value, type.family); };
  if (!std::all_of(values.begin(), values.end(), fits)) {
    return ValuesFlaw{"the values of " + column + " are not of its type, " + type.name,
                      "list values for text, whole-number and boolean columns only"};
  }
  if (std::any_of(values.begin(), values.end(), HoldsNul)) {
    return ValuesFlaw{"a value of " + column + " holds a NUL byte", "leave it out"};
  }
  if (type.family == TypeFamily::kInteger) return FindOutside(column, type, values);
  return std::nullopt;
}

}  // namespace dpsql
