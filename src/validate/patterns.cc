#include "validate/patterns.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sql/regex.h"

namespace dpsql {
namespace {

constexpr std::size_t kLongestLike = 1'000;
constexpr int kMostMany = 10;   // % of one pattern
constexpr int kMostOnes = 100;  // _ of one pattern

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

std::string RegexFault(std::string_view pattern) { return ReadRegex(pattern).fault; }

}  // namespace dpsql
