#include "base/answer_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.h"

namespace dpsql {
namespace {

Answer DesignAnswer() {
  Answer answer;
  answer.columns = {
      {.name = "seg", .type = "VARCHAR", .role = ColumnRole::kKey, .mechanism = ""},
      {.name = "n", .type = "BIGINT", .role = ColumnRole::kEstimate, .mechanism = "gaussian"}};
  answer.rows = {{std::string("BUILDING"), std::int64_t{30012}}};
  answer.intervals = {{std::nullopt, NoiseInterval{.low = 29990, .high = 30034}}};
  answer.price = {.epsilon = 0.1, .delta = 1e-7, .mu = 0.0242, .doors = 1};
  answer.remaining = {.epsilon = 3.6, .delta = 9.9e-8, .queries_like_this = 1188};
  answer.release = "r-000017";
  return answer;
}

// One row of one column that holds the value.
Answer Holding(Value value) {
  Answer answer;
  answer.columns = {{.name = "x", .type = "T", .role = ColumnRole::kDerived, .mechanism = ""}};
  answer.rows = {{std::move(value)}};
  answer.intervals = {{std::nullopt}};
  return answer;
}

TEST(AnswerJson, HasTheDocumentedForm) {
  EXPECT_EQ(AnswerToJson(DesignAnswer()),
            R"({"columns":[{"name":"seg","type":"VARCHAR","role":"key"},)"
            R"({"name":"n","type":"BIGINT","role":"estimate","mechanism":"gaussian"}],)"
            R"("rows":[["BUILDING",30012]],"intervals":[[null,[29990,30034]]],)"
            R"("price":{"epsilon":0.1,"delta":1e-07,"mu":0.0242,"doors":1},)"
            R"("remaining":{"epsilon":3.6,"delta":9.9e-08,"queries_like_this":1188},)"
            R"("stored":false,"release":"r-000017"})");
}

TEST(AnswerJson, NoticesComeLastAndOnlyWhereThereAreAny) {
  Answer answer = DesignAnswer();
  answer.notices = {"groups below the threshold are withheld"};
  const std::string text = AnswerToJson(answer);
  EXPECT_TRUE(text.ends_with(
      R"("release":"r-000017","notices":["groups below the threshold are withheld"]})"));
  EXPECT_EQ(AnswerFromJson(text)->notices, answer.notices);
}

TEST(AnswerJson, WritesBackWhatItRead) {
  Answer answer = DesignAnswer();
  answer.stored = true;
  const std::string text = AnswerToJson(answer);
  const std::optional<Answer> again = AnswerFromJson(text);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(AnswerToJson(*again), text);
  EXPECT_EQ(again->rows, answer.rows);
  EXPECT_EQ(again->columns[1].role, ColumnRole::kEstimate);
}

TEST(AnswerJson, KeepsEveryValueAndItsType) {
  const std::vector<Value> values = {std::monostate{},
                                     true,
                                     std::int64_t{0},
                                     std::int64_t{5},
                                     5.0,
                                     -0.0,
                                     0.1,
                                     1e20,
                                     1e300,
                                     5e-324,
                                     std::numeric_limits<double>::max(),
                                     123456789.123456789,
                                     std::numeric_limits<std::int64_t>::min(),
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::string("170141183460469231731687303715884105727"),
                                     std::string("12.50"),
                                     std::string("null"),
                                     std::string("\"\\\n\0é", 6)};
  for (const Value& value : values) {
    const std::string text = AnswerToJson(Holding(value));
    const Value again = AnswerFromJson(text)->rows[0][0];
    EXPECT_EQ(again.index(), value.index()) << text;
    EXPECT_EQ(again, value) << text;
    EXPECT_EQ(AnswerToJson(Holding(again)), text);
  }
}

TEST(AnswerJson, KeepsTheEndsOfIntervals) {
  for (const double end : {0.0, -0.0, 29990.0, 0.5, -1e15, 1e16, 1e300, -2.25}) {
    Answer answer = Holding(1.0);
    answer.intervals = {{NoiseInterval{.low = end, .high = end}}};
    const auto again = AnswerFromJson(AnswerToJson(answer))->intervals[0][0];
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->low, end);
    EXPECT_EQ(std::signbit(again->high), std::signbit(end));
  }
}

TEST(AnswerJson, WhatJsonCannotSayIsABug) {
  EXPECT_THROW(AnswerToJson(Holding(std::nan(""))), Bug);
  EXPECT_THROW(AnswerToJson(Holding(std::numeric_limits<double>::infinity())), Bug);
  EXPECT_THROW(AnswerToJson(Holding(std::string("\xff"))), Bug);
  Answer infinite = Holding(1.0);
  infinite.intervals = {{NoiseInterval{.low = 0, .high = HUGE_VAL}}};
  EXPECT_THROW(AnswerToJson(infinite), Bug);
  Answer ragged = Holding(1.0);
  ragged.intervals.clear();
  EXPECT_THROW(AnswerToJson(ragged), Bug);
}

TEST(AnswerJson, OtherTextIsNotAnAnswer) {
  for (const char* text : {"", "{", "[]", "{}", "7", R"({"columns":[]})"}) {
    EXPECT_FALSE(AnswerFromJson(text).has_value()) << text;
  }
  std::string text = AnswerToJson(DesignAnswer());
  text.replace(text.find("\"key\""), 5, "\"kez\"");
  EXPECT_FALSE(AnswerFromJson(text).has_value());
}

}  // namespace
}  // namespace dpsql
