#include "base/utf8.h"

#include <gtest/gtest.h>

namespace dpsql {
namespace {

TEST(Utf8, KnowsWellFormedText) {
  for (const char* text : {"", "abc", "é", "日本", "😀", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  }
  for (const char* text : {"\x80", "\xc3", "a\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << text;
  }
}

TEST(Utf8, FindsTheFirstMalformedByte) {
  EXPECT_EQ(ValidUtf8Prefix("aé\xff"), 3u);
  EXPECT_EQ(ValidUtf8Prefix("aé"), 3u);
}

TEST(Utf8, Decodes) {
  EXPECT_EQ(DecodeUtf8("é").value, U'é');
  EXPECT_EQ(DecodeUtf8("😀x").size, 4u);
  EXPECT_EQ(DecodeUtf8("\xffx").value, U'\uFFFD');
  EXPECT_EQ(DecodeUtf8("\xffx").size, 1u);
  EXPECT_EQ(CountCodePoints("aé日😀\xff"), 5u);
}

TEST(Utf8, MeasuresColumns) {
  EXPECT_EQ(DisplayWidth(U'a'), 1);
  EXPECT_EQ(DisplayWidth(U'é'), 1);
  EXPECT_EQ(DisplayWidth(U'日'), 2);
  EXPECT_EQ(DisplayWidth(U'한'), 2);
  EXPECT_EQ(DisplayWidth(U'Ａ'), 2);
  EXPECT_EQ(DisplayWidth(U'😀'), 2);
  EXPECT_EQ(DisplayWidth(U'\u0301'), 0);
  EXPECT_EQ(DisplayWidth(U'\u200B'), 0);
  EXPECT_EQ(DisplayWidth(U'…'), 1);
}

}  // namespace
}  // namespace dpsql
