#include "backend/regex_matcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sql/dialect.h"
#include "support/reference_duckdb.h"
#include "support/regex_maker.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

bool IsFound(const std::string& pattern, const std::string& text) {
  const RegexReading reading = ReadRegex(pattern);
  EXPECT_EQ(reading.fault, "") << pattern;
  return RegexMatcher(reading.regex).IsFoundIn(text);
}

TEST(RegexMatcher, MeansWhatPostgreSqlMeans) {
  EXPECT_TRUE(IsFound("a.c", "xa\nc"));
  EXPECT_TRUE(IsFound("^[^a]$", "\n"));
  EXPECT_FALSE(IsFound("a$", "a\n"));
  EXPECT_FALSE(IsFound("^a", "\na"));
  EXPECT_TRUE(IsFound("^.$", "\U0001F600"));
  EXPECT_TRUE(IsFound("^é{2}$", "éé"));
  EXPECT_TRUE(IsFound("^.{3}$", "\xF0\x9F\x98"));  // no UTF-8
  EXPECT_TRUE(IsFound("(^|b)(^|b)c", "bc"));
  EXPECT_TRUE(IsFound("^(a?)*$", "aaa"));
  EXPECT_FALSE(IsFound("^(a|b){2,3}$", "abab"));
}

// A search that tried one path after the other would not end here.
TEST(RegexMatcher, FollowsAllPathsAtOnce) {
  const std::string text(100'000, 'a');
  for (const char* pattern : {"^(a+)+$", "(a?){100}a{100}b", "^(a|a)*b", "((a*)*)*b",
                              "a*a*a*a*a*a*b", "(.*a){50}c", "(a|aa|aaa){40}b"}) {
    EXPECT_EQ(IsFound(pattern, text), std::string(pattern).ends_with('$')) << pattern;
  }
}

// The call as DuckDB's dialect writes it.
std::string Printed(std::string_view function, const std::string& pattern) {
  std::string text(DuckDbDialect().FindFunction(function, 2));
  text.replace(text.find("$1"), 2, "t");
  text.replace(text.find("$2"), 2, DuckDbDialect().QuoteString(pattern));
  return text;
}

TEST(RegexMatcher, FindsWhatDuckDbFinds) {
  constexpr int kRounds = 8;
  constexpr std::size_t kPatterns = 100;
  const TempFolder folder;
  const std::string path = folder / "texts.duckdb";
  RegexMaker maker;
  std::vector<std::string> texts;
  std::string rows;
  for (int i = 0; i < 300; ++i) {
    texts.push_back(maker.Text());
    rows += (i == 0 ? "(" : ", (") + std::to_string(i) + ", " +
            DuckDbDialect().QuoteString(texts.back()) + ")";
  }
  MakeDatabaseFromText(path, "CREATE TABLE texts AS SELECT * FROM (VALUES " + rows + ") v(id, t)");
  std::size_t found = 0;
  for (int round = 0; round < kRounds; ++round) {
    const bool folds = round % 2 == 1;
    std::vector<std::string> patterns;
    std::string columns = "id";
    while (patterns.size() < kPatterns) {
      std::string pattern = maker.Choice(2);
      const RegexReading reading = folds ? ReadFoldedRegex(pattern) : ReadRegex(pattern);
      if (!reading.fault.empty()) continue;
      columns += ", " + Printed(folds ? "~*" : "~", pattern);
      patterns.push_back(std::move(pattern));
    }
    const auto answers = QueryReference(path, "SELECT " + columns + " FROM texts ORDER BY id");
    for (std::size_t p = 0; p < kPatterns; ++p) {
      RegexMatcher matcher((folds ? ReadFoldedRegex(patterns[p]) : ReadRegex(patterns[p])).regex);
      for (std::size_t t = 0; t < texts.size(); ++t) {
        const bool expected = std::get<bool>(answers[t][p + 1]);
        found += expected ? 1 : 0;
        ASSERT_EQ(matcher.IsFoundIn(texts[t]), expected) << patterns[p] << " in " << texts[t];
      }
    }
  }
  EXPECT_GT(found, kRounds * kPatterns * texts.size() / 10);
  EXPECT_LT(found, kRounds * kPatterns * texts.size() * 9 / 10);
}

}  // namespace
}  // namespace dpsql
