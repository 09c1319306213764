#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dpsql {

// A pattern of LIKE in the spelling that every database reads alike: without an escape character
// where none is needed, else with kPatternEscape before each %, _ and escape that is meant as is.
struct LikePattern {
  std::string text;
  bool escaped = false;
};

inline constexpr char kPatternEscape = '!';

// Reads a pattern whose escape character is `escape`, or has none. Nothing where the pattern ends
// in its escape character, which PostgreSQL calls an error.
std::optional<LikePattern> ReadLikePattern(std::string_view text, std::optional<char> escape);

// Why a regular expression is outside the subset that all engines read alike and match in time
// linear in the text: characters, ., [a-z], ^, $, |, ( ), and * + ? {m,n}; empty where it is
// inside.
std::string RegexFault(std::string_view pattern);

}  // namespace dpsql
