#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dpsql {

// A set of code points: ranges that stand in their order and do not touch.
class CharSet {
 public:
  struct Range {
    char32_t low;
    char32_t high;
  };
  static constexpr char32_t kLargest = 0x10FFFF;

  static CharSet All() { return CharSet().Add({0, kLargest}); }

  CharSet& Add(Range range);
  CharSet& Add(const CharSet& other);
  CharSet Complement() const;

  bool Has(char32_t c) const;
  bool Meets(const CharSet& other) const;
  bool is_all() const;

  const std::vector<Range>& ranges() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
};

// The set with the other cases of its characters: Unicode's simple folding, as RE2 has it, by which
// k is also the sign of Kelvin and s the long s. Nothing where a character is one whose cases are
// not known here: beyond Latin-1, the signs of U+2000 to U+206F and the East Asian scripts of
// U+3000 to U+9FFF and of Hangul, which have no case.
std::optional<CharSet> FoldCases(const CharSet& set);

// The small letter of a capital, else the character itself. Nothing where its cases are not known
// here, as above.
std::optional<char32_t> SmallLetter(char32_t c);

}  // namespace dpsql
