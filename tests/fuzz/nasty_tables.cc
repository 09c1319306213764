#include "fuzz/nasty_tables.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dpsql {
namespace {

constexpr auto kDoubles =
    std::to_array<double>({0.0, 1.0, -0.0, 0.5, -7.25, 1e308, -1e308, 5e-324, 1e16, HUGE_VAL,
                           -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()});
constexpr auto kIntegers =
    std::to_array<std::int64_t>({0, 1, -1, 7, 300, 2'147'483'647, -2'147'483'648LL, INT64_MAX,
                                 INT64_MIN, 9'007'199'254'740'993});
constexpr auto kTexts = std::to_array<const char*>(
    {"home", "Paris", "", " ", "'", "\"", "\\", "%", "_", "canary.csv", "'; DROP TABLE r0; --",
     "\xc3\xa9\xcc\x81", "\xf0\x9f\x98\x80", "NULL", "1e309", "-0", "2000-01-01", "NaN"});
constexpr auto kDates =
    std::to_array<const char*>({"2000-01-01", "1955-03-01", "0001-01-01", "9999-12-31",
                                "2000-02-29", "infinity", "-infinity", "5881580-07-10"});
constexpr auto kTimes = std::to_array<const char*>(
    {"2000-01-01 00:00:00", "1969-12-31 23:59:59.999999", "infinity", "294247-01-10 04:00:54"});
// A draw is a released number and noise again: large, but never beyond a BIGINT.
constexpr auto kDraws = std::to_array<double>(
    {0.0, 1.0, -0.0, 0.5, -7.25, 300.0, 1e17, -1e17, std::numeric_limits<double>::quiet_NaN()});

// What the type can hold: a release has no other.
std::int64_t DrawInteger(const Type& type, Choices& choices) {
  const std::int64_t number = choices.Pick(kIntegers);
  if (type.name == "BIGINT") return number;
  return type.name == "INTEGER" ? static_cast<std::int32_t>(number) : number % 100;
}

std::string DrawDecimal(const Type& type, Choices& choices) {
  const auto digits = DigitsOf(type);
  if (!digits) return choices.Pick(std::to_array<const char*>({"0", "1", "-7"}));
  std::string text = choices.Below(2) == 1 ? "-" : "";
  const char digit = choices.Pick(std::to_array<char>({'9', '0', '1'}));
  const auto whole = static_cast<std::size_t>(digits->precision - digits->scale);
  const auto behind = static_cast<std::size_t>(digits->scale);
  text += whole == 0 ? "0" : std::string(choices.Below(2) == 1 ? whole : 1, digit);
  return behind == 0 ? text : text + "." + std::string(behind, digit);
}

Value DrawValue(const Type& type, Choices& choices) {
  if (choices.In16(2)) return std::monostate();
  switch (type.family) {
    case TypeFamily::kBoolean:
      return choices.Below(2) == 1;
    case TypeFamily::kInteger:
      return DrawInteger(type, choices);
    case TypeFamily::kFloat:
      return choices.Pick(kDoubles);
    case TypeFamily::kDecimal:
      return DrawDecimal(type, choices);
    case TypeFamily::kDate:
      return std::string(choices.Pick(kDates));
    case TypeFamily::kTimestamp:
      return std::string(choices.Pick(kTimes));
    case TypeFamily::kUuid:
      return std::string("00000000-0000-0000-0000-00000000000") + (choices.Below(2) ? "1" : "f");
    case TypeFamily::kInterval:
      return std::string(choices.Below(2) ? "1 month" : "-30 days");
    case TypeFamily::kText:
    case TypeFamily::kOther:
      break;
  }
  std::string text = choices.Pick(kTexts);
  if (choices.In16(1)) text.append(300, 'x');
  return text;
}

}  // namespace

void FillTable(PublicTable& table, Choices& choices) {
  constexpr std::size_t kMostRows = 7;
  for (std::size_t row = choices.Below(kMostRows) + 1; row > 0; --row) {
    std::vector<Value> values;
    for (const PublicTable::Column& column : table.columns) {
      values.push_back(DrawValue(column.type, choices));
    }
    table.rows.push_back(std::move(values));
  }
  if (choices.In16(1)) table.rows.clear();
}

void FillDraws(PublicTable& table, std::size_t first, std::size_t last, std::size_t draws,
               Choices& choices) {
  for (std::size_t i = first; i < last; ++i) {
    table.drawn_columns.push_back("d" + std::to_string(i));
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<std::vector<double>> lists(last - first, std::vector<double>(draws, 1.0));
    for (std::vector<double>& list : lists) {
      for (double& number : list) number = choices.Pick(kDraws);
    }
    table.draws.push_back(std::move(lists));
  }
}

}  // namespace dpsql
