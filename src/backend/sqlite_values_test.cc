#include "backend/sqlite_values.h"

#include <gtest/gtest.h>

#include <string>

namespace dpsql {
namespace {

TEST(SqliteValues, ADayIsOneOfTheCalendar) {
  for (const char* day : {"2026-11-16", "0001-01-01", "9999-12-31", "2024-02-29"}) {
    EXPECT_TRUE(IsDay(day)) << day;
  }
  for (const char* none : {"", "2026-02-30", "2023-02-29", "0000-01-01", "2026-1-1", "2026-11-16 ",
                           "26-11-16", "2026/11/16", "now", "2026-13-01", "2026-00-10",
                           "2026-11-16 00:00:00", "infinity", "-001-01-01"}) {
    EXPECT_FALSE(IsDay(none)) << none;
  }
}

TEST(SqliteValues, AMomentHasOneForm) {
  EXPECT_EQ(MomentOf("2026-11-16"), "2026-11-16 00:00:00");
  EXPECT_EQ(MomentOf("2026-11-16 23:59"), "2026-11-16 23:59:00");
  EXPECT_EQ(MomentOf("2026-11-16T23:59:58"), "2026-11-16 23:59:58");
  EXPECT_EQ(MomentOf("2026-11-16 23:59:58.250000"), "2026-11-16 23:59:58.25");
  EXPECT_EQ(MomentOf("2026-11-16 23:59:58.000"), "2026-11-16 23:59:58");
  for (const char* none : {"", "2026-11-16 24:00:00", "2026-11-16 23:60", "2026-11-16 23:59:60",
                           "2026-11-16 1:00", "2026-11-16 23:59:58.", "2026-11-16 23:59:58.1234567",
                           "2026-11-16 23:59:58Z", "2026-11-16 23:59:58+01", "2026-11-16x",
                           "2026-11-16 ", "2026-11-16 23:5", "1763300000", "2026-02-30 10:00"}) {
    EXPECT_FALSE(MomentOf(none)) << none;
  }
}

TEST(SqliteValues, TextsAreUtf8WithoutNul) {
  EXPECT_TRUE(IsPlainText("Zürich \xf0\x9f\x98\x80"));
  EXPECT_FALSE(IsPlainText("\xff"));
  EXPECT_FALSE(IsPlainText("\xc0\x80"));
  EXPECT_FALSE(IsPlainText(std::string_view("a\0b", 3)));
}

// No text becomes another one, nor what another one is cut to.
TEST(SqliteValues, ALongTextIsReadInPart) {
  const std::string most(kLongestWholeText, 'x');
  EXPECT_EQ(ShortText(most), most);
  const std::string cut = ShortText(most + "x");
  EXPECT_EQ(cut.substr(0, cut.size() - 64), std::string(kLongestSqliteText - 64, 'x'));
  EXPECT_EQ(cut.size(), kLongestSqliteText);
  EXPECT_NE(cut, ShortText(most + "y"));
  EXPECT_NE(cut, ShortText(cut)) << "the text that the other one is cut to";
  for (const std::string character : {"\xf0\x9f\x98\x80", "\xe6\xbc\xa2", "\xc3\xa9"}) {
    for (const std::string before : {"", "a", "ab", "abc"}) {
      std::string wide = before;
      while (wide.size() <= kLongestWholeText) wide += character;
      EXPECT_GT(ShortText(wide).size(), kLongestWholeText);
      EXPECT_LE(ShortText(wide).size(), kLongestSqliteText);
      EXPECT_TRUE(IsPlainText(ShortText(wide)));
    }
  }
}

TEST(SqliteValues, LikeIsPostgresLike) {
  EXPECT_TRUE(IsLike("Paris", "P%", ""));
  EXPECT_FALSE(IsLike("paris", "P%", ""));
  EXPECT_TRUE(IsLike("Paris", "%r_s", ""));
  EXPECT_TRUE(IsLike("Zürich", "Z_rich", ""));
  EXPECT_FALSE(IsLike("Zürich", "Z__rich", ""));
  EXPECT_TRUE(IsLike("", "%", ""));
  EXPECT_TRUE(IsLike("", "", ""));
  EXPECT_FALSE(IsLike("", "_", ""));
  EXPECT_FALSE(IsLike("a", "", ""));
  EXPECT_TRUE(IsLike("aXbXc", "a%X%c", ""));
  EXPECT_FALSE(IsLike("aXbXc", "a%X%X%X%c", ""));
  EXPECT_TRUE(IsLike("50%", "50#%", "#"));
  EXPECT_FALSE(IsLike("500", "50#%", "#"));
  EXPECT_TRUE(IsLike("a#b", "a##b", "#"));
  EXPECT_TRUE(IsLike("a\\b", "a\\b", ""));
}

// Tried again from every place, the first % would take steps beyond counting.
TEST(SqliteValues, LikeTakesStepsByTheProduct) {
  const std::string text(60'000, 'a');
  std::string pattern;
  for (int i = 0; i < 10; ++i) pattern += "%a";
  EXPECT_FALSE(IsLike(text, pattern + "b", ""));
}

}  // namespace
}  // namespace dpsql
