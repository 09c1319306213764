#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/char_set.h"

namespace dpsql {

// A regular expression of the subset that all databases read alike: characters, ., [a-z], ^, $, |,
// ( ), and * + ? {m,n}. Its meaning is PostgreSQL's, by code points: . and [^a] take a line's end
// too, ^ and $ are the two ends of the text, and it matches where any part of the text does.
struct Regex {
  enum class Kind { kSet, kBegin, kEnd, kSequence, kChoice, kRepeat };
  static constexpr int kUnbounded = -1;

  Kind kind = Kind::kSequence;
  CharSet set;               // of kSet: one character of it
  std::vector<Regex> parts;  // of kSequence and kChoice; of kRepeat the one that is repeated
  int least = 1;             // of kRepeat
  int most = 1;              // or kUnbounded, with a least of 0 or 1
};

// PostgreSQL's compiler does as much in a tenth of a second. Its time and space grow faster than
// the arcs, and with each anchor that may or may not be passed: ten more of these, or ten times as
// many arcs, are seconds, and some more an error.
inline constexpr double kMostRegexWork = 20'000;

struct RegexReading {
  Regex regex;
  std::string fault;  // why it is outside the subset; empty where it is inside
  double work = 0;    // of an engine's compiler: arcs, more where many anchors may be passed
};

// Ensures: no sequence has a sequence among its parts, no choice a choice, and not every part of a
// choice is one character; every {m,n} written out n times, there are at most 300 characters and
// classes; no anchor is repeated more than once, and there are few of them; the work of a
// compiler is at most kMostRegexWork.
RegexReading ReadRegex(std::string_view pattern);

// The same with letters of either case alike; see FoldCases. A letter without known cases is a
// fault.
RegexReading ReadFoldedRegex(std::string_view pattern);

// How a call compares a text with a pattern, if it does: ~, ~*, !~ or !~*.
bool IsRegexOperator(std::string_view name);
// As the operator reads it. Requires: IsRegexOperator(name).
RegexReading ReadRegexOf(std::string_view name, std::string_view pattern);

}  // namespace dpsql
