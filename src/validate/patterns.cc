#include "validate/patterns.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

namespace dpsql {
namespace {

constexpr std::size_t kLongestRegex = 200;
constexpr int kLargestRepeat = 100;  // of one {m,n}

// Characters and classes when every {m,n} is written out n times: an automaton of this size takes
// about 50 ms on the longest text that an expression can make.
constexpr int kLargestRegex = 300;

constexpr std::size_t kLongestLike = 1'000;
constexpr int kMostMany = 10;   // % of one pattern
constexpr int kMostOnes = 100;  // _ of one pattern

constexpr std::string_view kSpecial = "\\^$.|?*+()[]{}";

// Reads one regular expression from left to right. It is a checker, not a matcher: what it lets
// through is a regular language in PostgreSQL's and in RE2's reading, and the same one.
class RegexReader {
 public:
  explicit RegexReader(std::string_view text) : text_(text) {}

  std::string Fault() {
    if (text_.size() > kLongestRegex) return "it is longer than 200 characters";
    if (text_.empty()) return "it is empty";
    const int size = Branches();
    if (fault_.empty() && at_ < text_.size()) fault_ = "a bracket is not open";
    if (fault_.empty() && size > kLargestRegex) fault_ = "it repeats too often";
    return fault_;
  }

 private:
  bool AtEnd() const { return at_ >= text_.size() || !fault_.empty(); }
  bool Take(char c) {
    if (AtEnd() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  int Fail(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
    return 1;
  }

  // The size of what stands between brackets, written out.
  int Branches() {
    int size = 0;
    do {
      bool empty = true;
      while (!AtEnd() && text_[at_] != '|' && text_[at_] != ')') {
        size += Piece();
        empty = false;
      }
      if (empty) return Fail("a branch is empty");
    } while (Take('|'));
    return size;
  }

  int Piece() {
    const char first = text_[at_];
    const bool anchor = first == '^' || first == '$';
    const int inside = Atom();
    const int copies = Quantifier(anchor);
    if (!AtEnd() && std::string_view("*+?{").find(text_[at_]) != std::string_view::npos) {
      return Fail("a quantifier follows a quantifier");
    }
    const int size = inside * copies;
    return size > kLargestRegex ? Fail("it repeats too often") : size;
  }

  int Atom() {
    const char c = text_[at_++];
    if (c == '(') return Group();
    if (c == '[') return Class();
    if (c == '\\') return Escape();
    if (c == '.' || c == '^' || c == '$') return 1;
    if (kSpecial.find(c) != std::string_view::npos) {
      return Fail(std::string("the ") + c + " has nothing before it");
    }
    return 1;
  }

  int Group() {
    if (++depth_ > 20) return Fail("its brackets are too deep");
    if (!AtEnd() && text_[at_] == '?') return Fail("(? … ) is not read alike everywhere");
    const int size = Branches();
    if (!Take(')')) return Fail("a bracket is not closed");
    --depth_;
    return size;
  }

  int Escape() {
    if (AtEnd()) return Fail("it ends in a backslash");
    const char c = text_[at_++];
    const bool punctuation = kSpecial.find(c) != std::string_view::npos || c == '-' || c == '/';
    return punctuation ? 1 : Fail("a backslash before a letter is not read alike everywhere");
  }

  // [a-z0-9_], [^,;]: ASCII characters and ranges of them, no named classes.
  int Class() {
    Take('^');
    char previous = 0;
    std::size_t members = 0;
    for (; !AtEnd() && text_[at_] != ']'; ++at_, ++members) {
      const char c = text_[at_];
      if (c == '[' || c == '\\' || static_cast<unsigned char>(c) >= 0x80) {
        return Fail("a class may hold ASCII characters and ranges, without [ and backslash");
      }
      const bool range = c == '-' && members > 0 && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (range && !RangeTo(previous)) return Fail("a range runs backwards");
      previous = text_[at_];
    }
    if (members == 0) return Fail("a class is empty");
    return Take(']') ? 1 : Fail("a class is not closed");
  }

  bool RangeTo(char low) {
    const char high = text_[++at_];
    const auto is_plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'z'); };
    return is_plain(low) && is_plain(high) && low <= high;
  }

  int Quantifier(bool anchor) {
    const bool has =
        !AtEnd() && std::string_view("*+?{").find(text_[at_]) != std::string_view::npos;
    if (!has) return 1;
    if (anchor) return Fail("an anchor cannot be repeated");
    if (text_[at_++] != '{') return 1;
    const std::optional<int> low = Number();
    std::optional<int> high = low;
    if (Take(',')) high = Number();
    if (!low || !high || !Take('}')) return Fail("write {n} or {m,n}");
    if (*low > *high || *high > kLargestRepeat || *high < 1) return Fail("it repeats too often");
    return *high;
  }

  std::optional<int> Number() {
    int value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || end == begin || value < 0) return std::nullopt;
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string fault_;
};

}  // namespace

std::optional<LikePattern> ReadLikePattern(std::string_view text, std::optional<char> escape) {
  std::vector<std::pair<char, bool>> characters;  // and whether it stands for itself
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = escape && text[i] == *escape;
    if (escaped && ++i == text.size()) return std::nullopt;
    characters.emplace_back(text[i], escaped || (text[i] != '%' && text[i] != '_'));
  }
  const bool needs_escape =
      std::any_of(characters.begin(), characters.end(), [](const auto& character) {
        const auto [c, literal] = character;
        return literal ? c == '%' || c == '_' || c == '\\' : c == '_';
      });
  LikePattern pattern{.text = "", .escaped = needs_escape};
  for (const auto& [c, literal] : characters) {
    const bool special = c == '%' || c == '_' || c == kPatternEscape;
    if (needs_escape && literal && special) pattern.text += kPatternEscape;
    pattern.text += c;
  }
  return pattern;
}

std::string LikeFault(const LikePattern& pattern) {
  if (pattern.text.size() > kLongestLike) return "it is longer than 1,000 bytes";
  int many = 0;
  int ones = 0;
  for (std::size_t i = 0; i < pattern.text.size(); ++i) {
    if (pattern.escaped && pattern.text[i] == kPatternEscape) {
      ++i;
      continue;
    }
    many += pattern.text[i] == '%' ? 1 : 0;
    ones += pattern.text[i] == '_' ? 1 : 0;
  }
  if (many > kMostMany) return "it has more than 10 times %";
  return ones > kMostOnes ? "it has more than 100 times _" : "";
}

std::string RegexFault(std::string_view pattern) { return RegexReader(pattern).Fault(); }

}  // namespace dpsql
