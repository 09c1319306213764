#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dpsql {

// A pattern of LIKE in the spelling that every database reads alike. One of characters and % alone
// has no escape character, and every database but Spark matches it in time linear in the text. Any
// other, with a _ or with a %, _ or backslash that is meant as is, has kPatternEscape before each
// %, _ and escape that is meant as is; a dialect whose LIKE would be slow writes it another way.
struct LikePattern {
  std::string text;
  bool escaped = false;
};

inline constexpr char kPatternEscape = '!';

// Reads a pattern whose escape character is `escape`, or has none. Nothing where the pattern ends
// in its escape character, which PostgreSQL calls an error.
std::optional<LikePattern> ReadLikePattern(std::string_view text, std::optional<char> escape);

// Why a pattern that was read could take too long on a row; empty where it cannot.
std::string LikeFault(const LikePattern& pattern);

// Why a regular expression is outside the subset of sql/regex.h, which all engines read alike;
// empty where it is inside. DuckDB, PostgreSQL and the automaton of backend/regex_matcher.h match
// all of it in time linear in the text, and compile it in a tenth of a second at most; what Java
// does is in sql/regex_java.h.
std::string RegexFault(std::string_view pattern);

}  // namespace dpsql
