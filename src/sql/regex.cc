#include "sql/regex.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "base/utf8.h"
#include "sql/regex_arcs.h"

namespace dpsql {
namespace {

constexpr std::size_t kLongestRegex = 200;  // bytes
constexpr unsigned kLargestRepeat = 100;    // of one {m,n}
constexpr int kDeepest = 20;

// Characters and classes when every {m,n} is written out n times: an automaton of this size takes
// about 50 ms on the longest text that an expression can make.
constexpr int kLargestRegex = 300;

constexpr int kMostAnchors = 10;

constexpr const char* kTooLarge = "it repeats too often";

constexpr std::string_view kSpecial = "\\^$.|?*+()[]{}";
constexpr std::string_view kQuantifiers = "*+?{";

// A part and its size, written out.
struct Sized {
  Regex regex;
  int size = 1;
};

bool IsAnchor(const Regex& regex) {
  return regex.kind == Regex::Kind::kBegin || regex.kind == Regex::Kind::kEnd;
}

int CountAnchors(const Regex& regex) {
  int count = IsAnchor(regex) ? 1 : 0;
  for (const Regex& part : regex.parts) count += CountAnchors(part);
  return count;
}

// In one branch of the whole.
int MostAnchors(const Regex& regex) {
  if (regex.kind != Regex::Kind::kChoice) return CountAnchors(regex);
  int most = 0;
  for (const Regex& branch : regex.parts) most = std::max(most, CountAnchors(branch));
  return most;
}

double CompilerWork(const Regex& regex) {
  return CountArcs(regex) * std::max(1.0, MostAnchors(regex) / 2.0);
}

bool IsLetterOrDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

Regex One(CharSet set) { return {.kind = Regex::Kind::kSet, .set = std::move(set), .parts = {}}; }

// Parts in one list, those of an inner list of the same kind among them; a single one stands alone.
Regex Joined(Regex::Kind kind, std::vector<Regex> parts) {
  Regex whole{.kind = kind, .set = {}, .parts = {}};
  for (Regex& part : parts) {
    if (part.kind != kind) {
      whole.parts.push_back(std::move(part));
      continue;
    }
    std::move(part.parts.begin(), part.parts.end(), std::back_inserter(whole.parts));
  }
  if (whole.parts.size() != 1) return whole;
  Regex only = std::move(whole.parts.front());
  return only;
}

// Branches of one character each are a class.
Regex Alternatives(std::vector<Regex> branches) {
  Regex choice = Joined(Regex::Kind::kChoice, std::move(branches));
  if (choice.kind != Regex::Kind::kChoice) return choice;
  CharSet all;
  for (const Regex& branch : choice.parts) {
    if (branch.kind != Regex::Kind::kSet) return choice;
    all.Add(branch.set);
  }
  return One(std::move(all));
}

// Reads one regular expression from left to right.
class RegexReader {
 public:
  RegexReader(std::string_view text, bool folds) : text_(text), folds_(folds) {}

  RegexReading Read() {
    if (text_.size() > kLongestRegex)
      return {.regex = {}, .fault = "it is longer than 200 characters"};
    if (text_.empty()) return {.regex = {}, .fault = "it is empty"};
    Sized all = Branches();
    if (fault_.empty() && at_ < text_.size()) fault_ = "a bracket is not open";
    if (fault_.empty() && MostAnchors(all.regex) > kMostAnchors) {
      fault_ = "it has more than 10 times ^ and $ in one branch";
    }
    if (fault_.empty() && all.size > kLargestRegex) fault_ = kTooLarge;
    const double work = fault_.empty() ? CompilerWork(all.regex) : 0;
    if (work > kMostRegexWork) fault_ = kTooLarge;
    return {.regex = std::move(all.regex), .fault = fault_, .work = work};
  }

 private:
  bool AtEnd() const { return at_ >= text_.size() || !fault_.empty(); }
  bool AtQuantifier() const {
    return !AtEnd() && kQuantifiers.find(text_[at_]) != std::string_view::npos;
  }
  bool Take(char c) {
    if (AtEnd() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Sized Fail(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
    return {};
  }

  Sized Branches() {
    std::vector<Regex> branches;
    int size = 0;
    do {
      std::vector<Regex> parts;
      while (!AtEnd() && text_[at_] != '|' && text_[at_] != ')') {
        Sized piece = Piece();
        size += piece.size;
        parts.push_back(std::move(piece.regex));
      }
      if (parts.empty()) return Fail("a branch is empty");
      branches.push_back(Joined(Regex::Kind::kSequence, std::move(parts)));
    } while (Take('|'));
    return {.regex = Alternatives(std::move(branches)), .size = size};
  }

  Sized Piece() {
    Sized inside = Atom();
    if (!AtQuantifier()) return inside;
    Regex repeat = Quantifier();
    if (AtQuantifier()) return Fail("a quantifier follows a quantifier");
    const bool anchored = CountAnchors(inside.regex) > 0 && repeat.most != 1;
    if (anchored || IsAnchor(inside.regex)) return Fail("an anchor cannot be repeated");
    const int size = inside.size * (repeat.most == Regex::kUnbounded ? 1 : repeat.most);
    if (size > kLargestRegex) return Fail(kTooLarge);
    repeat.parts.push_back(std::move(inside.regex));
    return {.regex = std::move(repeat), .size = size};
  }

  Sized Atom() {
    const char c = text_[at_];
    if (static_cast<unsigned char>(c) >= 0x80) return BeyondAscii();
    ++at_;
    if (c == '(') return Group();
    if (c == '[') return Class();
    if (c == '\\') return Escape();
    if (c == '.') return {.regex = One(CharSet::All())};
    if (c == '^') return {.regex = {.kind = Regex::Kind::kBegin, .set = {}, .parts = {}}};
    if (c == '$') return {.regex = {.kind = Regex::Kind::kEnd, .set = {}, .parts = {}}};
    if (kSpecial.find(c) != std::string_view::npos) {
      return Fail(std::string("the ") + c + " has nothing before it");
    }
    return Literal(static_cast<unsigned char>(c));
  }

  Sized BeyondAscii() {
    const std::string_view rest = text_.substr(at_);
    const CodePoint read = DecodeUtf8(rest);
    if (ValidUtf8Prefix(rest.substr(0, read.size)) != read.size) return Fail("it is not UTF-8");
    at_ += read.size;
    return Literal(read.value);
  }

  Sized Literal(char32_t c) { return Members(CharSet().Add({c, c})); }

  Sized Members(CharSet set) {
    if (!folds_) return {.regex = One(std::move(set))};
    std::optional<CharSet> folded = FoldCases(set);
    if (!folded)
      return Fail("the cases of letters beyond ÿ are not known there; name both, as (Ж|ж), with ~");
    return {.regex = One(*std::move(folded))};
  }

  Sized Group() {
    if (++depth_ > kDeepest) return Fail("its brackets are too deep");
    if (!AtEnd() && text_[at_] == '?') return Fail("(? … ) is not read alike everywhere");
    Sized inside = Branches();
    if (!Take(')')) return Fail("a bracket is not closed");
    --depth_;
    return inside;
  }

  Sized Escape() {
    if (AtEnd()) return Fail("it ends in a backslash");
    const char c = text_[at_++];
    const bool punctuation = kSpecial.find(c) != std::string_view::npos || c == '-' || c == '/';
    if (!punctuation) return Fail("a backslash before a letter is not read alike everywhere");
    return Literal(static_cast<unsigned char>(c));
  }

  // [a-z0-9_], [^,;]: ASCII characters and ranges of them, no named classes.
  Sized Class() {
    const bool negated = Take('^');
    CharSet set;
    bool may_begin_range = false;  // what stands before is one character, not the end of a range
    char previous = 0;
    for (; !AtEnd() && text_[at_] != ']'; ++at_) {
      const char c = text_[at_];
      if (c == '[' || c == '\\' || static_cast<unsigned char>(c) >= 0x80) {
        return Fail("a class may hold ASCII characters and ranges, without [ and backslash");
      }
      const bool dash =
          c == '-' && !set.ranges().empty() && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (dash && !may_begin_range) return Fail("a range follows the end of a range");
      if (dash && !RangeTo(previous))
        return Fail("a range is of letters or digits, from the lower to the higher");
      const char high = text_[at_];
      const char low = dash ? previous : high;
      set.Add({static_cast<unsigned char>(low), static_cast<unsigned char>(high)});
      may_begin_range = !dash;
      previous = high;
    }
    if (set.ranges().empty()) return Fail("a class is empty");
    if (!Take(']')) return Fail("a class is not closed");
    Sized members = Members(std::move(set));
    if (negated) members.regex.set = members.regex.set.Complement();
    return members;
  }

  bool RangeTo(char low) {
    const char high = text_[++at_];
    return IsLetterOrDigit(low) && IsLetterOrDigit(high) && low <= high;
  }

  Regex Quantifier() {
    Regex repeat{.kind = Regex::Kind::kRepeat, .set = {}, .parts = {}, .least = 0};
    const char sign = text_[at_++];
    if (sign == '?') return repeat;
    if (sign != '{') {
      repeat.least = sign == '+' ? 1 : 0;
      repeat.most = Regex::kUnbounded;
      return repeat;
    }
    const std::optional<int> low = Number();
    std::optional<int> high = low;
    if (Take(',')) high = Number();
    if (!low || !high || !Take('}')) {
      Fail("write {n} or {m,n}");
    } else if (*low > *high || *high > static_cast<int>(kLargestRepeat) || *high < 1) {
      Fail("it repeats too often");
    } else {
      repeat.least = *low;
      repeat.most = *high;
    }
    return repeat;
  }

  // RE2 takes {02} for these four characters.
  std::optional<int> Number() {
    unsigned value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    const bool zero_first = end - begin > 1 && *begin == '0';
    if (error != std::errc() || zero_first) return std::nullopt;
    at_ += static_cast<std::size_t>(end - begin);
    return static_cast<int>(std::min(value, kLargestRepeat + 1));
  }

  std::string_view text_;
  bool folds_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string fault_;
};

}  // namespace

RegexReading ReadRegex(std::string_view pattern) { return RegexReader(pattern, false).Read(); }

RegexReading ReadFoldedRegex(std::string_view pattern) { return RegexReader(pattern, true).Read(); }

bool IsRegexOperator(std::string_view name) {
  return name == "~" || name == "~*" || name == "!~" || name == "!~*";
}

RegexReading ReadRegexOf(std::string_view name, std::string_view pattern) {
  return name.ends_with('*') ? ReadFoldedRegex(pattern) : ReadRegex(pattern);
}

}  // namespace dpsql
