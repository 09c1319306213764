#include "backend/row_facts.h"

#include <gtest/gtest.h>

namespace dpsql {
namespace {

TEST(RowFactsTest, MoreConditionsLeaveNoMoreRows) {
  RowFacts facts;
  facts.Learn({"orders", {"unit"}}, 41);
  EXPECT_EQ(facts.MostRows({"orders", {"unit"}}), 41);
  EXPECT_EQ(facts.MostRows({"orders", {"unit", "open"}}), 41);
  facts.Learn({"orders", {"unit", "open"}}, 7);
  EXPECT_EQ(facts.MostRows({"orders", {"unit", "open"}}), 7);
  EXPECT_EQ(facts.MostRows({"orders", {"unit", "late", "open"}}), 7);
  EXPECT_EQ(facts.MostRows({"orders", {"unit", "late"}}), 41);
}

TEST(RowFactsTest, NothingIsKnownOfOtherRows) {
  RowFacts facts;
  EXPECT_EQ(facts.MostRows({"orders", {}}), std::nullopt);
  facts.Learn({"orders", {"unit", "open"}}, 7);
  EXPECT_EQ(facts.MostRows({"orders", {"unit"}}), std::nullopt);
  EXPECT_EQ(facts.MostRows({"orders", {"open", "late"}}), std::nullopt);
  EXPECT_EQ(facts.MostRows({"orders, items", {"unit", "open"}}), std::nullopt);
}

TEST(RowFactsTest, RowsAreCountedWhenTheyAreAskedForTheSecondTime) {
  RowFacts facts;
  EXPECT_FALSE(facts.IsSecondAsking({"orders", {"unit"}}));
  EXPECT_FALSE(facts.IsSecondAsking({"orders", {"link"}}));
  EXPECT_TRUE(facts.IsSecondAsking({"orders", {"unit"}}));
  EXPECT_FALSE(facts.IsSecondAsking({"orders", {"unit"}}));
}

TEST(RowFactsTest, WhatIsKeptIsBounded) {
  RowFacts facts;
  for (int i = 0; i < 1000; ++i) facts.Learn({std::to_string(i), {}}, i);
  EXPECT_EQ(facts.MostRows({"0", {}}), std::nullopt);
  EXPECT_EQ(facts.MostRows({"999", {}}), 999);
  facts.Learn({"orders", {std::string(1 << 20, 'x')}}, 1);
  EXPECT_EQ(facts.MostRows({"orders", {std::string(1 << 20, 'x')}}), std::nullopt);
}

}  // namespace
}  // namespace dpsql
