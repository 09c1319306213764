#pragma once

#include <string>
#include <string_view>

#include "sql/regex.h"

// The pieces of a regular expression in the spelling that other engines share.
namespace dpsql {

// How an engine writes a character by its number: \x{E9}, \U000000E9.
struct CharSpelling {
  std::string_view before;
  int digits = 1;  // at least so many
  std::string_view behind;
};

// A dot, one character, [a-z] or [^a-z]. Letters, digits and what is special nowhere are written as
// they are.
std::string SpellSet(const CharSet& set, const CharSpelling& spelling);

// What stands behind a repeated part that is no * and no +: "", "?", {2} or {2,4}.
std::string SpellTimes(const Regex& repeat);

}  // namespace dpsql
