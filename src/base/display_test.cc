#include "base/display.h"

#include <gtest/gtest.h>

namespace dpsql {
namespace {

TEST(Shortened, CountsColumnsOfTheTerminal) {
  EXPECT_EQ(Shortened("Hamburg", 7), "Hamburg");
  EXPECT_EQ(Shortened("Hamburg", 6), "Hambu…");
  EXPECT_EQ(Shortened("東京都", 6), "東京都");
  EXPECT_EQ(Shortened("東京都", 5), "東京…");
  EXPECT_EQ(Shortened("東京都", 4), "東…");  // half a character has no place
  EXPECT_EQ(Shortened("🗼🗼", 3), "🗼…");
  EXPECT_EQ(Shortened("x", 1), "x");
  EXPECT_EQ(Shortened("xy", 1), "…");
  EXPECT_EQ(Shortened("", 1), "");
}

TEST(Shortened, MarksStayWithTheirCharacter) {
  EXPECT_EQ(Shortened("e\u0301a\u0301o\u0301", 3), "e\u0301a\u0301o\u0301");
  EXPECT_EQ(Shortened("e\u0301a\u0301o\u0301", 2), "e\u0301…");
}

TEST(Wrapped, BreaksAtBlanksAndLongWordsAnywhere) {
  EXPECT_EQ(Wrapped("one two three", 0), "one two three");
  EXPECT_EQ(Wrapped("one two three", 13), "one two three");
  EXPECT_EQ(Wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(Wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(Wrapped("abcdefgh ij", 4), "abcd\nefgh\nij");
  EXPECT_EQ(Wrapped("東京都", 4), "東京\n都");
  EXPECT_EQ(Wrapped("東京", 1), "東\n京");
  EXPECT_EQ(Wrapped("", 5), "");
}

TEST(Printable, ShowsNothingThatMovesTheCursorOrTheLine) {
  EXPECT_EQ(Printable("a\033[31m\tb"), "a\uFFFD[31m\uFFFDb");
  EXPECT_EQ(Printable("a\u2028b\u202Ec\u061C"), "a\uFFFDb\uFFFDc\uFFFD");
  EXPECT_EQ(Printable("東京 e\u0301"), "東京 e\u0301");
}

}  // namespace
}  // namespace dpsql
