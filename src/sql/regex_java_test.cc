#include "sql/regex_java.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace dpsql {
namespace {

JavaRegex Java(const std::string& pattern) {
  const RegexReading reading = ReadRegex(pattern);
  EXPECT_EQ(reading.fault, "") << pattern;
  return WriteJavaRegex(reading.regex);
}

JavaRegex FoldedJava(const std::string& pattern) {
  const RegexReading reading = ReadFoldedRegex(pattern);
  EXPECT_EQ(reading.fault, "") << pattern;
  return WriteJavaRegex(reading.regex);
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(JavaRegex, SaysWhatThePatternMeans) {
  for (const auto& [pattern, java] : Pairs{
           {"^P", "(?s)\\AP"},
           {"x$", "(?s)x\\z"},
           {"a.c", "(?s)a.c"},
           {"\\.csv|-", "(?s)\\x{2E}csv|\\x{2D}"},
           {"[a-c&&^x-]", "(?s)[\\x{26}\\x{2D}\\x{5E}a-cx]"},
           {"[^a\n]", "(?s)[^\\x{A}a]"},
           {"é\U0001F600?x", "(?s)\\x{E9}\\x{1F600}?x"},
           {"((a))", "(?s)a"},
           {"(a|[c-e]|b)", "(?s)[a-e]"},
           {"(^a|b$)", "(?s)\\Aa|b\\z"},
           {"(^|,)x(,|$)", "(?s)(?:\\A|,)x(?:,|\\z)"},
       }) {
    EXPECT_EQ(Java(pattern).text, java) << pattern;
  }
}

// Java's own loops over groups forget paths where a round takes nothing.
TEST(JavaRegex, WritesRepeatedGroupsOut) {
  EXPECT_EQ(Java("^(a?|b){2}c").text, "(?s)\\A(?:a?|b)(?:a?|b)c");
  EXPECT_EQ(Java("^(ab){1,3}c{1,3}$").text, "(?s)\\Aab(?:ab(?:ab)?)?c{1,3}\\z");
  EXPECT_EQ(Java("^(a|bc)?$").text, "(?s)\\A(?:(?:a|bc))?\\z");
}

TEST(JavaRegex, IsShortWhereAnythingMayStandBeside) {
  for (const auto& [pattern, java] : Pairs{
           {".*a.*", "(?s)a"},
           {"^.*a.*$", "(?s)a"},
           {"^.*$", "(?s)"},
           {"ab|.*", "(?s)ab|"},
           {"[0-9]+", "(?s)[0-9]"},
           {"([0-9]+,)+x", "(?s)[0-9],x"},
           {"a{2,5}b{0,3}", "(?s)a{2}"},
           {"a*b?", "(?s)"},
           {"a*^b", "(?s)\\Ab"},
           {".+a", "(?s)\\A(?>.*?.).*?a"},
           {"a.+", "(?s)a."},
           {"a[0-9]*.*[0-9]*b", "(?s)\\A(?>.*?a).*?b"},
       }) {
    EXPECT_EQ(Java(pattern).text, java) << pattern;
  }
}

TEST(JavaRegex, LoopsWithoutGivingBack) {
  for (const auto& [pattern, java] : Pairs{
           {"^[0-9]+$", "(?s)\\A[0-9]++\\z"},
           {"^(Par|Ly)[a-z]+$", "(?s)\\A(?:Par|Ly)[a-z]++\\z"},
           {"^[^@]+@[^@]+\\.com$", "(?s)\\A[^@]++@[^@]+?\\x{2E}com\\z"},
           {"a[0-9]*b", "(?s)a[0-9]*+b"},
           {"^[a-z]*ing$", "(?s)\\A[a-z]*?ing\\z"},
           {"^a.*b$", "(?s)\\Aa.*?b\\z"},
           {"ab.*cd.*ef", "(?s)\\A(?>.*?ab)(?>.*?cd).*?ef"},
           {"^(a|bc).*d.*(e|fg)$", "(?s)\\A(?:a|bc)(?>.*?d).*?(?:e|fg)\\z"},
           {"^([^,]*,){2}c", "(?s)\\A[^,]*+,[^,]*+,c"},
       }) {
    EXPECT_EQ(Java(pattern).text, java) << pattern;
  }
}

// Each of these takes time beyond the text's length in Java, or is not known not to.
TEST(JavaRegex, RefusesWhatMayTakeLong) {
  for (const char* pattern : {
           "^(a+)+$",
           "^(a|aa)*$",
           "^(a*)*b",
           "x(ab)*y",
           "xa*a*b",
           "^a*a*b",
           "ba*c[a-c]*d",
           "^[a-z]*[0-9]*5[0-9]*x",
           "^[a-z]*ing[a-z]*s$",
           "[ab]a*c",
           "(x|y?)a*c",
           "(ab|c).*d",
           "^a.*(b|cd).*d",
           "^a.*b[0-9]*c.*d",
           "^(a.*|b)c",
           "^(a|$)[0-9]*(^|b)",
           "^(a?){20}b",
           "^((a|b){1,3}c?){4}d",
           "^[a-z]{1,99}[a-z]{1,99}$",
           "(a|b|ab){6}c",
       }) {
    EXPECT_NE(Java(pattern).fault, "") << pattern << " became " << Java(pattern).text;
  }
}

TEST(JavaRegex, NamesTheCasesOfLetters) {
  EXPECT_EQ(FoldedJava("k1").text, "(?s)[Kk\\x{212A}]1");
  EXPECT_EQ(FoldedJava("[p-t]").text, "(?s)[P-Tp-t\\x{17F}]");
  EXPECT_EQ(FoldedJava("[^s]").text, "(?s)[^Ss\\x{17F}]");
  EXPECT_EQ(FoldedJava("É").text, "(?s)[\\x{C9}\\x{E9}]");
  EXPECT_EQ(FoldedJava("東").text, "(?s)\\x{6771}");
  EXPECT_NE(ReadFoldedRegex("ж").fault, "");
  EXPECT_EQ(ReadRegex("ж").fault, "");
}

}  // namespace
}  // namespace dpsql
