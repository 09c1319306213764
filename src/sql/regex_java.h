#pragma once

#include <string>

#include "sql/regex.h"

namespace dpsql {

// A regular expression as java.util.regex searches for it (Matcher.find), or why it must not.
//
// Ensures: find() says what Regex means, and for every text it takes at most a constant times the
// text's length in steps and a constant depth of calls, so that neither the time nor an exception
// (StackOverflowError) depends on the data.
//
// Argument. Java tries each place of the text as a beginning, and there one path after the other.
// What is written has no loop but these, each of which Java runs as one iteration without a call
// for each character:
//
//   .*?  between two pieces of a branch that begins with \A, so that there is one beginning. A
//        piece with another .*? behind it has a fixed length and stands as (?>.*?piece): where it
//        ends first, nothing is lost, since what follows may begin anywhere behind; hence no place
//        is tried twice. The last piece needs no such brackets: nothing loops behind it.
//   S*+  of one set of characters, none of which may follow the loop: to give back characters
//        would never help. It is entered from one beginning (\A), or else a character outside S
//        stands before it, so that the runs of S that it reads do not overlap, and the beginning
//        of a run is known from its end: each is read by as many paths as lead there.
//   S*?  in a branch that begins with \A, at most once, and with no loop behind it.
//
// All else is bounded: {m,n} of a character is Java's own, that of a group is written out, since
// Java's loops over groups skip paths where a round takes nothing. CountSteps bounds the paths from
// one beginning and their lengths, and what exceeds kMostSteps is refused. Before that, what stands
// at an end of the pattern that is not anchored, or beside a .*, is made as short as it may be: a+
// is a there, and a* nothing.
//
// A text is UTF-8 by then (backend/spark_tables.h), so that Java sees no half of a pair. It may
// begin a match inside of one, where only sets that hold the whole character take the half.
struct JavaRegex {
  std::string text;
  std::string fault;
};

// Requires: `regex` was read without a fault, with its cases folded where they shall be.
JavaRegex WriteJavaRegex(const Regex& regex);

}  // namespace dpsql
