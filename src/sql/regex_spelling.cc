#include "sql/regex_spelling.h"

#include <array>
#include <cstdio>
#include <vector>

namespace dpsql {
namespace {

std::string SpellChar(char32_t c, const CharSpelling& spelling) {
  constexpr std::string_view kPlain = " _,;:@/=%";
  const bool plain = (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') ||
                     (c >= U'a' && c <= U'z') ||
                     (c < 0x80 && kPlain.find(static_cast<char>(c)) != std::string_view::npos);
  if (plain) return std::string(1, static_cast<char>(c));
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "%0*X", spelling.digits, static_cast<unsigned>(c));
  return std::string(spelling.before) + number.data() + std::string(spelling.behind);
}

}  // namespace

std::string SpellSet(const CharSet& set, const CharSpelling& spelling) {
  if (set.is_all()) return ".";
  const bool negated = set.Has(CharSet::kLargest);
  const CharSet named = negated ? set.Complement() : set;
  const std::vector<CharSet::Range>& ranges = named.ranges();
  if (!negated && ranges.size() == 1 && ranges[0].low == ranges[0].high) {
    return SpellChar(ranges[0].low, spelling);
  }
  std::string text = negated ? "[^" : "[";
  for (const CharSet::Range& range : ranges) {
    text += SpellChar(range.low, spelling);
    if (range.high > range.low + 1) text += "-";
    if (range.high > range.low) text += SpellChar(range.high, spelling);
  }
  return text + "]";
}

std::string SpellTimes(const Regex& repeat) {
  if (repeat.least == 0 && repeat.most == 1) return "?";
  if (repeat.least == 1 && repeat.most == 1) return "";
  if (repeat.least == repeat.most) return "{" + std::to_string(repeat.least) + "}";
  return "{" + std::to_string(repeat.least) + "," + std::to_string(repeat.most) + "}";
}

}  // namespace dpsql
