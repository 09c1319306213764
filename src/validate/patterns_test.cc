#include "validate/patterns.h"

#include <gtest/gtest.h>

#include "validate/interval_literal.h"
#include "validate/query_clock.h"

namespace dpsql {
namespace {

TEST(LikePattern, HasOneSpellingWhateverItsEscape) {
  EXPECT_EQ(ReadLikePattern("a%b!", '\\')->text, "a%b!");
  EXPECT_FALSE(ReadLikePattern("a%b!", '\\')->escaped);
  // With a _ it is one for the dialects that have no linear LIKE of it.
  EXPECT_EQ(ReadLikePattern("a%_b!", '\\')->text, "a%_b!!");
  EXPECT_TRUE(ReadLikePattern("a%_b!", '\\')->escaped);
  EXPECT_EQ(ReadLikePattern("a\\%b!", '\\')->text, "a!%b!!");
  EXPECT_TRUE(ReadLikePattern("a\\%b!", '\\')->escaped);
  EXPECT_EQ(ReadLikePattern("a#%b", '#')->text, "a!%b");
  EXPECT_EQ(ReadLikePattern("a##", '#')->text, "a#");
  // Without an escape a backslash is itself, which PostgreSQL and DuckDB read differently.
  EXPECT_EQ(ReadLikePattern("a\\%", std::nullopt)->text, "a\\%");
  EXPECT_TRUE(ReadLikePattern("a\\%", std::nullopt)->escaped);
  EXPECT_FALSE(ReadLikePattern("a\\", '\\').has_value());
}

TEST(LikePattern, HasSoManyWildcards) {
  const auto fault = [](const std::string& text) {
    return LikeFault(*ReadLikePattern(text, '\\'));
  };
  EXPECT_EQ(fault("%a%a%a%a%a%a%a%a%a%"), "");
  EXPECT_NE(fault("%a%a%a%a%a%a%a%a%a%a%"), "");
  EXPECT_EQ(fault("\\%\\%\\%\\%\\%\\%\\%\\%\\%\\%\\%"), "");
  EXPECT_EQ(fault(std::string(100, '_')), "");
  EXPECT_NE(fault(std::string(101, '_')), "");
  EXPECT_NE(fault(std::string(1'001, 'a')), "");
}

TEST(Regex, AcceptsTheCommonSubset) {
  for (const char* pattern : {"a", "^a.*b$", "(a|b)+c?", "[a-z0-9_-]{2,5}", "x{3}", "\\.csv$",
                              "[^,;]+", "((a))", "é+", "^(Paris|Lyon)$"}) {
    EXPECT_EQ(RegexFault(pattern), "") << pattern;
  }
}

TEST(Regex, RefusesWhatEnginesReadDifferentlyOrSlowly) {
  for (const char* pattern : {"",
                              "*a",
                              "a**",
                              "a+?",
                              "(a",
                              "a)",
                              "[a",
                              "[]",
                              "[[:alpha:]]",
                              "\\d",
                              "\\bx",
                              "(?i)a",
                              "(?=a)",
                              "(a)\\1",
                              "a{1001}",
                              "a{2,1}",
                              "a{2,}",
                              "(a{100}){100}",
                              "x|",
                              "(|a)",
                              "a\\",
                              "[z-a]",
                              "[é]",
                              "[a-c-e]",
                              "é**",
                              "\xC3",
                              "^*",
                              "{2}",
                              "([a-z]{1,100}){1,10}x",
                              "[a-z]{1,99}[a-z]{1,99}[a-z]{1,99}[a-z]{1,99}x",
                              "(a|b{1,100}|c{1,100}|d{1,100})",
                              "a{99999999999}"}) {
    EXPECT_NE(RegexFault(pattern), "") << pattern;
  }
  EXPECT_NE(RegexFault(std::string(201, 'a')), "");
  EXPECT_NE(RegexFault(std::string(100, '(') + "a" + std::string(100, ')')), "");
}

TEST(IntervalLiteral, IsReadInOneSpelling) {
  EXPECT_EQ(ReadInterval("1 year 2 mons 3 days 04:05:06.5", 0),
            "14 months 3 days 14706.500000 seconds");
  EXPECT_EQ(ReadInterval("-1 week", 0), "0 months -7 days 0 seconds");
  EXPECT_EQ(ReadInterval("3", 1 << 1), "3 months 0 days 0 seconds");
  EXPECT_EQ(ReadInterval("90 minutes", 0), "0 months 0 days 5400 seconds");
  EXPECT_EQ(ReadInterval("-00:00:01", 0), "0 months 0 days -1 seconds");
  for (const char* text : {"", "3", "1.5 months", "5 lightyears", "1 day ago", "P1D", "day",
                           "99999999999 years", "1 day 25:61"}) {
    EXPECT_FALSE(ReadInterval(text, 0).has_value()) << text;
  }
}

TEST(QueryClock, IsFixedWhileItLives) {
  const QueryClock::Time time{std::chrono::microseconds(1'577'934'245'000'006)};
  const QueryClock clock(time);
  EXPECT_EQ(QueryClock::Now(), time);
  EXPECT_EQ(DateText(QueryClock::Now()), "2020-01-02");
  EXPECT_EQ(TimestampText(QueryClock::Now()), "2020-01-02 03:04:05.000006");
  {
    const QueryClock inner(QueryClock::Time{});
    EXPECT_EQ(DateText(QueryClock::Now()), "1970-01-01");
  }
  EXPECT_EQ(QueryClock::Now(), time);
}

}  // namespace
}  // namespace dpsql
