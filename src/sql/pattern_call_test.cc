#include "sql/pattern_call.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sql/regex_java.h"

namespace dpsql {
namespace {

ast::Call CallOf(const std::string& name, const std::vector<std::string>& texts) {
  ast::Call call{.name = name};
  for (const std::string& text : texts) {
    call.arguments.push_back(
        {.name = "",
         .value = std::make_unique<ast::Expr>(ast::Expr{.node = ast::String{text}, .span = {}})});
  }
  return call;
}

std::string Java(const std::string& name, const std::vector<std::string>& pattern) {
  std::vector<std::string> texts = {"x"};
  texts.insert(texts.end(), pattern.begin(), pattern.end());
  const RegexReading reading = ReadPattern(CallOf(name, texts));
  if (!reading.fault.empty()) return reading.fault;
  const JavaRegex java = WriteJavaRegex(reading.regex);
  return java.fault.empty() ? java.text : java.fault;
}

TEST(PatternCall, LikeMatchesTheWholeText) {
  EXPECT_EQ(Java("like", {""}), "(?s)\\A\\z");
  EXPECT_EQ(Java("like", {"Par_s"}), "(?s)\\APar.s\\z");
  EXPECT_EQ(Java("like", {"P%"}), "(?s)\\AP");
  EXPECT_EQ(Java("like", {"%s"}), "(?s)s\\z");
  EXPECT_EQ(Java("not like", {"%ar%"}), "(?s)ar");
  EXPECT_EQ(Java("like", {"%%"}), "(?s)");
  EXPECT_EQ(Java("like", {"P%s"}), "(?s)\\AP.*?s\\z");
  EXPECT_EQ(Java("like", {"a.b|^c$\\"}), "(?s)\\Aa\\x{2E}b\\x{7C}\\x{5E}c\\x{24}\\x{5C}\\z");
}

// One search for each piece: what was found is not given up.
TEST(PatternCall, EachPieceOfLikeIsLookedForOnce) {
  EXPECT_EQ(Java("like", {"%a%_b%c"}), "(?s)\\A(?>.*?a)(?>.*?.b).*?c\\z");
  EXPECT_EQ(Java("like", {"x%a%b%"}), "(?s)\\Ax(?>.*?a).*?b");
}

TEST(PatternCall, WhatIsEscapedStandsForItself) {
  EXPECT_EQ(Java("like", {"!%a%!!", "!"}), "(?s)\\A%a.*?\\x{21}\\z");
  EXPECT_EQ(Java("like", {"!_!%_", "!"}), "(?s)\\A_%.\\z");
}

TEST(PatternCall, IlikeReadsSmallLetters) {
  EXPECT_EQ(Java("ilike", {"PaR%"}), "(?s)\\Apar");
  EXPECT_EQ(Java("not ilike", {"\xc3\x89t\xc3\x97"}), "(?s)\\A\\x{E9}t\\x{D7}\\z");
  EXPECT_EQ(Java("ilike", {"\xe6\xbc\xa2"}), "(?s)\\A\\x{6F22}\\z");
  EXPECT_NE(Java("ilike", {"\xc4\x8d"}).find("letter"), std::string::npos);
  EXPECT_EQ(Java("like", {"\xc4\x8d"}), "(?s)\\A\\x{10D}\\z");
}

TEST(PatternCall, IsReadWhereTheDatabaseCannotReadIt) {
  EXPECT_TRUE(ReadsPattern("like", RegexStyle::kJava));
  EXPECT_TRUE(ReadsPattern("not ilike", RegexStyle::kJava));
  EXPECT_FALSE(ReadsPattern("like", RegexStyle::kPostgreSql));
  EXPECT_FALSE(ReadsPattern("~", RegexStyle::kAsWritten));
  EXPECT_TRUE(ReadsPattern("~", RegexStyle::kOwn));
  EXPECT_EQ(PlacesOf("like", 3, RegexStyle::kJava), 2u);
  EXPECT_EQ(PlacesOf("like", 3, RegexStyle::kOwn), 3u);
}

}  // namespace
}  // namespace dpsql
