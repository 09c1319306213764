#include "validate/interval_literal.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <string_view>

#include "base/names.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kMostMonths = 12 * 4'000;
constexpr std::int64_t kMostDays = 366 * 4'000;
constexpr std::int64_t kMostMicros = kMostDays * 86'400 * kMicros;

// A unit's name in the singular, the bit of PostgreSQL's mask, and how much of what it is.
struct Unit {
  std::string_view name;
  std::int64_t mask;
  std::int64_t months;
  std::int64_t days;
  std::int64_t micros;
};

constexpr auto kUnits = std::to_array<Unit>({
    {"year", 1 << 2, 12, 0, 0},
    {"month", 1 << 1, 1, 0, 0},
    {"mon", 0, 1, 0, 0},
    {"week", 0, 0, 7, 0},
    {"day", 1 << 3, 0, 1, 0},
    {"hour", 1 << 10, 0, 0, 3'600 * kMicros},
    {"minute", 1 << 11, 0, 0, 60 * kMicros},
    {"min", 0, 0, 0, 60 * kMicros},
    {"second", 1 << 12, 0, 0, kMicros},
    {"sec", 0, 0, 0, kMicros},
});

const Unit* FindUnit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name ||
        (name.ends_with('s') && unit.name == name.substr(0, name.size() - 1))) {
      return &unit;
    }
  }
  return nullptr;
}

const Unit* FindUnit(std::int64_t mask) {
  for (const Unit& unit : kUnits) {
    if (mask != 0 && unit.mask == mask) return &unit;
  }
  return nullptr;
}

struct Span {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t micros = 0;

  // A fraction is of seconds only; of others it would mean what engines do not agree on.
  bool Add(const Unit& unit, const std::string& number) {
    const double value = std::strtod(number.c_str(), nullptr);
    const bool whole = number.find('.') == std::string::npos;
    if (std::abs(value) > 1e11 || (!whole && unit.micros != kMicros)) return false;
    if (!whole) {
      micros += std::llround(value * kMicros);
      return InRange();
    }
    const auto count = static_cast<std::int64_t>(value);
    if (std::abs(count) > kMostMicros / std::max<std::int64_t>(unit.micros, kMicros)) return false;
    months += count * unit.months;
    days += count * unit.days;
    micros += count * unit.micros;
    return InRange();
  }

  bool InRange() const {
    return std::abs(months) <= kMostMonths && std::abs(days) <= kMostDays &&
           std::abs(micros) <= kMostMicros;
  }

  std::string Text() const {
    std::string seconds = std::to_string(std::abs(micros) / kMicros);
    const std::int64_t fraction = std::abs(micros) % kMicros;
    if (fraction != 0) seconds += "." + std::to_string(kMicros + fraction).substr(1);
    return std::to_string(months) + " months " + std::to_string(days) + " days " +
           (micros < 0 ? "-" : "") + seconds + " seconds";
  }
};

}  // namespace

std::optional<std::string> ReadInterval(const std::string& text, std::int64_t unit_mask) {
  static const std::regex kBare(R"(\s*([+-]?\d{1,11}(\.\d{1,6})?)\s*)");
  static const std::regex kPair(R"(^\s*([+-]?\d{1,11}(\.\d{1,6})?)\s*([a-z]+)\s*)");
  static const std::regex kClock(R"(^\s*([+-]?)(\d{1,4}):([0-5]\d)(:([0-5]\d(\.\d{1,6})?))?\s*$)");
  if (text.size() > 100) return std::nullopt;
  std::string rest = ToLower(text);
  Span span;
  std::smatch part;
  const Unit* unit = FindUnit(unit_mask);
  if (std::regex_match(rest, part, kBare)) {
    return unit != nullptr && span.Add(*unit, part[1]) ? std::optional(span.Text()) : std::nullopt;
  }
  if (unit_mask != 0 && unit == nullptr) return std::nullopt;
  while (std::regex_search(rest, part, kPair)) {
    const Unit* named = FindUnit(part[3].str());
    if (named == nullptr || !span.Add(*named, part[1])) return std::nullopt;
    rest = part.suffix();
  }
  if (std::regex_match(rest, part, kClock)) {
    const std::string sign = part[1];
    const bool fits = span.Add(*FindUnit("hour"), sign + part[2].str()) &&
                      span.Add(*FindUnit("minute"), sign + part[3].str()) &&
                      (!part[5].matched || span.Add(*FindUnit("second"), sign + part[5].str()));
    return fits ? std::optional(span.Text()) : std::nullopt;
  }
  const bool all_read = rest.empty() && !text.empty();
  return all_read ? std::optional(span.Text()) : std::nullopt;
}

}  // namespace dpsql
