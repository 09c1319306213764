#include "sql/char_set.h"

#include <algorithm>
#include <utility>

namespace dpsql {
namespace {

// Characters of Latin-1 and their other cases beyond the letter that is 32 before or behind.
constexpr std::pair<char32_t, char32_t> kOddCases[] = {
    {U'K', 0x212A}, {U'S', 0x017F}, {0xC5, 0x212B}, {0xDF, 0x1E9E},
    {0xFF, 0x0178}, {0xB5, 0x03BC}, {0xB5, 0x039C},
};

constexpr CharSet::Range kWithoutCase[] = {{0x2000, 0x206F}, {0x3000, 0x9FFF}, {0xAC00, 0xD7A3}};

bool IsSmall(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= 0xE0 && c <= 0xFE && c != 0xF7);
}

bool IsCapital(char32_t c) { return c < CharSet::kLargest - 32 && IsSmall(c + 32); }

bool IsKnown(CharSet::Range range) {
  if (range.high <= 0xFF) return true;
  return std::any_of(std::begin(kWithoutCase), std::end(kWithoutCase), [&](CharSet::Range known) {
    return range.low >= known.low && range.high <= known.high;
  });
}

void AddCases(char32_t c, CharSet& set) {
  const char32_t capital = IsSmall(c) ? c - 32 : c;
  set.Add({c, c}).Add({capital, capital});
  if (IsCapital(capital)) set.Add({capital + 32, capital + 32});
  for (const auto& [letter, other] : kOddCases) {
    if (letter == capital) set.Add({other, other});
  }
}

}  // namespace

CharSet& CharSet::Add(Range range) {
  std::vector<Range> sorted;
  for (const Range& old : ranges_) {
    if (old.high + 1 >= range.low && range.high + 1 >= old.low) {
      range = {std::min(old.low, range.low), std::max(old.high, range.high)};
    } else {
      sorted.push_back(old);
    }
  }
  const auto behind = std::find_if(sorted.begin(), sorted.end(),
                                   [&](const Range& old) { return old.low > range.high; });
  sorted.insert(behind, range);
  ranges_ = std::move(sorted);
  return *this;
}

CharSet& CharSet::Add(const CharSet& other) {
  for (const Range& range : other.ranges_) Add(range);
  return *this;
}

CharSet CharSet::Complement() const {
  CharSet rest;
  char32_t next = 0;
  for (const Range& range : ranges_) {
    if (range.low > next) rest.Add({next, range.low - 1});
    next = range.high + 1;
  }
  if (next <= kLargest) rest.Add({next, kLargest});
  return rest;
}

bool CharSet::Has(char32_t c) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [c](const Range& range) { return c >= range.low && c <= range.high; });
}

bool CharSet::Meets(const CharSet& other) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& mine) {
    return std::any_of(other.ranges_.begin(), other.ranges_.end(), [&](const Range& theirs) {
      return mine.low <= theirs.high && theirs.low <= mine.high;
    });
  });
}

bool CharSet::is_all() const {
  return ranges_.size() == 1 && ranges_[0].low == 0 && ranges_[0].high == kLargest;
}

std::optional<CharSet> FoldCases(const CharSet& set) {
  CharSet folded = set;
  for (const CharSet::Range& range : set.ranges()) {
    if (!IsKnown(range)) return std::nullopt;
    for (char32_t c = range.low; c <= range.high && c <= 0xFF; ++c) AddCases(c, folded);
  }
  return folded;
}

std::optional<char32_t> SmallLetter(char32_t c) {
  if (!IsKnown({c, c})) return std::nullopt;
  return IsCapital(c) ? c + 32 : c;
}

}  // namespace dpsql
