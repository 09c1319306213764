#include "sql/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "sql/parser.h"
#include "support/patience.h"

namespace dpsql {
namespace {

std::string Repeat(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

std::string Nest(std::string_view open, std::string_view core, std::string_view close, int times) {
  return Repeat(open, times) + std::string(core) + Repeat(close, times);
}

// The promise is 10 ms; a busy test machine gets more before the test cries.
constexpr double kPatienceMilliseconds = 200;

// The refusal's code, or "" where the text was read. The best of three runs must be quick.
std::string CodeOf(const std::string& sql) {
  double best = kPatienceMilliseconds * 1000;
  std::string code;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    auto parsed = Parse(sql);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
    code = parsed.ok() ? "" : parsed.error().code;
  }
  EXPECT_LT(best, kPatienceMilliseconds * Patience()) << sql.substr(0, 60);
  return code;
}

constexpr const char* kTooLarge = "P102";
constexpr const char* kBadText = "P103";

TEST(Limits, OfSize) {
  EXPECT_EQ(CodeOf(Repeat("(", 1 << 20)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat("+1", 60'000)), kTooLarge);
  EXPECT_EQ(CodeOf(Nest("SELECT (", "SELECT 1", ")", 20'000)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT '" + std::string(65'000, 'a') + "'"), "");
  EXPECT_EQ(CodeOf("SELECT '" + std::string(66'000, 'a') + "'"), kTooLarge);
}

TEST(Limits, OfTokens) {
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat("+1", 4'400)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat("+1", 30'000)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat(",1", 3'990)), "");
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat(",1", 4'010)), kTooLarge);
  EXPECT_EQ(CodeOf(Repeat(";", 60'000)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1 " + Repeat("--\n", 20'000)), "");
}

TEST(Limits, OfBrackets) {
  EXPECT_EQ(CodeOf(Repeat("(", 60'000)), kTooLarge);
  EXPECT_EQ(CodeOf(Nest("SELECT (", "SELECT 1", ")", 1'600)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT " + Nest("(", "1", ")", 200)), "");
  EXPECT_EQ(CodeOf("SELECT " + Nest("(", "1", ")", 201)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT " + Nest("f(", "1", ")", 200)), "");
  EXPECT_EQ(CodeOf("SELECT '" + Repeat("(", 300) + "'"), "");
  EXPECT_EQ(CodeOf("SELECT " + Repeat("[", 300)), kTooLarge);
}

TEST(Limits, OfDepth) {
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat("+1", 400)), "");
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat("+1", 3'900)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT " + Repeat("- ", 7'900) + "x"), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT " + Repeat("NOT ", 7'900) + "x"), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT " + Nest("CASE WHEN a THEN ", "b", " END", 1'500)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1" + Repeat(" UNION SELECT 1", 2'000)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1 FROM a" + Repeat(" CROSS JOIN a", 2'000)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT a" + Repeat("::int", 2'600)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT a" + Repeat(" IS NULL", 2'600)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT a" + Repeat(" AT TIME ZONE a", 1'900)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT a" + Repeat("[1]", 2'600)), "P105");
}

TEST(Limits, LeaveRoomForLongFlatQueries) {
  EXPECT_EQ(CodeOf("SELECT a" + Repeat(" AND a", 3'900)), "");
  EXPECT_EQ(CodeOf("SELECT a IN (1" + Repeat(", 1", 3'900) + ")"), "");
  EXPECT_EQ(CodeOf(Repeat("SELECT 1;", 2'600)), "");
  EXPECT_EQ(CodeOf("SELECT - " + Repeat("- ", 7'900) + "1"), "");
  EXPECT_EQ(CodeOf("SELECT a" + Repeat(", (a AND b) AND c", 800)), "");
  EXPECT_EQ(CodeOf("SELECT a" + Repeat(" AND (a OR b)", 1'100)), "");
}

TEST(Limits, OfOperatorRuns) {
  EXPECT_EQ(CodeOf(Repeat("/*", 30'000)), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1 " + Repeat("+", 60'000) + "1"), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT 1 " + Repeat("*/", 30'000)), kTooLarge);
  EXPECT_EQ(CodeOf(Repeat("/*", 32) + Repeat(" " + Repeat("/*", 32), 990)), "P101");
  EXPECT_EQ(CodeOf("SELECT 1 /*" + Repeat("*", 100) + "*/ --" + Repeat("-", 100)), "");
}

TEST(Limits, OfNames) {
  EXPECT_EQ(CodeOf("SELECT " + std::string(63, 'a')), "");
  EXPECT_EQ(CodeOf("SELECT " + std::string(64, 'a')), kTooLarge);
  EXPECT_EQ(CodeOf("SELECT \"" + std::string(63, 'a') + "\""), "");
  EXPECT_EQ(CodeOf("SELECT \"" + std::string(64, 'a') + "\""), kTooLarge);
}

TEST(Limits, OfBytes) {
  EXPECT_EQ(CodeOf(std::string("SELECT 1\0", 9)), kBadText);
  EXPECT_EQ(CodeOf(std::string("\0SELECT 1", 9)), kBadText);
  EXPECT_EQ(CodeOf("SELECT '\xff'"), kBadText);
  EXPECT_EQ(CodeOf("SELECT '\xc3'"), kBadText);
  EXPECT_EQ(CodeOf("SELECT '\xc0\xaf'"), kBadText);
  EXPECT_EQ(CodeOf("SELECT '\xed\xa0\x80'"), kBadText);
  EXPECT_EQ(CodeOf("SELECT '\xf4\x90\x80\x80'"), kBadText);
  auto parsed = Parse("SELECT '\xff'");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().span.begin, 8u);
}

}  // namespace
}  // namespace dpsql
