#include "sql/regex.h"

#include <gtest/gtest.h>

#include <string>

#include "sql/regex_arcs.h"

namespace dpsql {
namespace {

std::string Times(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Some engine calls each of them an error or reads it in a way of its own: PostgreSQL [A-[:alpha:],
// RE2 {02}. The error would come where the first row is compared, and CASE decides whether one is.
TEST(Regex, RefusesWhatEnginesReadUnlike) {
  for (const char* pattern :
       {"[A-[:alpha:]", "[A-[=]", "[A-\\]", "^[A-\\].[a]$", "[A-_]", "a{02}", "a{00,2}", "a{-0,2}",
        "a{+1}", "a{1,}", "a{ 1}", "[[:alpha:]]", "***=a", "(?i)a", "a**", "a|", "^*"}) {
    EXPECT_NE(ReadRegex(pattern).fault, "") << pattern;
  }
  for (const char* pattern :
       {"[A-Za-z0-9]", "[a-]", "[-a]", "a{0,2}", "a{10}", "\\[\\]", "(^a)?"}) {
    EXPECT_EQ(ReadRegex(pattern).fault, "") << pattern;
  }
}

// PostgreSQL takes seconds to compile these, or calls them too complex.
TEST(Regex, RefusesWhatTakesLongToCompile) {
  for (const std::string& pattern :
       {std::string("(^|$|a){60}b"), std::string("(^|$|a){2}b"), std::string("(b(^|a))*"),
        Times(14, "(^|$|.?|a)"), Times(14, "($|^)?"), "x|" + Times(6, "(^|$)") + "b",
        "^(" + Times(3, "[^a]?[^b]?[^c]?[^d]?[^e]?") + "){20}$",
        std::string("(.?.?.?.?){75}[^a]*x*"), std::string("(a?b?c?d?e?f?g?h?){37}"),
        std::string("((a?){99}b?){3}"),
        std::string("(a?b?c?d?e?f?g?h?i?j?k?l?m?n?o?p?q?r?s?t?){15}"),
        std::string("(^a?)?(b?$)?(^c?)?(d?$)?(^e?)?(f?$)?(^g?)?(h?$)?(^i?)?(j?$)?(k?l?m?n?){32}"),
        std::string("^([^a]?[^b]?[^c]?[^d]?[^e]?[^f]?[^g]?[^h]?[^i]?[^j]?){15}$")}) {
    EXPECT_NE(ReadRegex(pattern).fault, "") << pattern;
  }
  for (const std::string& pattern :
       {Times(5, "(^|$|a)") + "b", std::string("^a$|^b$|^c$|^d$|^e$|^f$|^g$|^h$"),
        std::string("^[a-z0-9_]{1,64}@[a-z0-9_]{1,64}$"), std::string("(.?){100}x")}) {
    EXPECT_EQ(ReadRegex(pattern).fault, "") << pattern;
  }
}

TEST(RegexArcs, AreCountedAsIfWrittenOut) {
  const auto count = [](const std::string& pattern) { return CountArcs(ReadRegex(pattern).regex); };
  EXPECT_EQ(count("a"), 0);
  EXPECT_EQ(count("ab"), 1);
  EXPECT_EQ(count("^ab$"), 1);
  EXPECT_EQ(count("a*"), 1);
  EXPECT_EQ(count("a?b?c"), 3);  // ab, ac, bc
  EXPECT_EQ(count("a{2,4}"), count("aaa?a?"));
  EXPECT_EQ(count("(ab|c)+"), count("(ab|c)") + 2 * 2);
  // Characters before a, and those behind it, which b parts in three.
  EXPECT_EQ(count("a[^a]"), 2);
  EXPECT_EQ(count("a[^a]|b"), 3);
  EXPECT_EQ(count("a[^a]|c"), 4);
}

}  // namespace
}  // namespace dpsql
