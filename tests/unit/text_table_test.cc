#include "text_table.h"

#include <gtest/gtest.h>

namespace dpsql::cli {
namespace {

TEST(TextTableTest, ColumnsAreAlignedByWhatTheEyeSees) {
  UseUtf8();
  EXPECT_EQ(AlignColumns({{"日本", "x"}, {"e\u0301", "y"}, {"four", ""}}),
            "日本  x\n"
            "e\u0301     y\n"
            "four\n");
}

TEST(TextTableTest, NothingMovesTheCursor) {
  UseUtf8();
  EXPECT_EQ(AlignColumns({{"a\x1b[2Jb\n", "c"}}), "a\uFFFD[2Jb\uFFFD  c\n");
}

TEST(TextTableTest, ListsAreReadDownwards) {
  UseUtf8();
  EXPECT_EQ(ListInColumns({"a", "b", "c", "d", "e"}, 7), "a  c  e\nb  d\n");
  EXPECT_EQ(ListInColumns({"long word", "b"}, 5), "long word\nb\n");
}

}  // namespace
}  // namespace dpsql::cli
