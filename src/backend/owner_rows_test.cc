#include "backend/owner_rows.h"

#include <gtest/gtest.h>

#include "backend/duckdb_door.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

class OwnerRowsTest : public ::testing::Test {
 protected:
  bool OwnerNames(const std::string& sql) const {
    const DpPlan plan = PlanQuery(sql, catalog_);
    return OwnerNamesRows(plan.doors().front());
  }

  // Whether units are left out once it is known that none has more than `most` rows of the table.
  bool LeavesUnitsOut(const std::string& bound, std::int64_t most) const {
    Settings settings = DefaultSettings(catalog_.policy());
    if (!bound.empty()) {
      EXPECT_TRUE(TrySet("SET dp.contribution_bound = " + bound, catalog_, settings).ok());
    }
    const DpPlan plan = PlanQuery("SELECT count(*) FROM orders", catalog_, settings);
    const Door& door = plan.doors().front();
    RowFacts facts;
    for (const auto& [row_class, rows] : ClippedRows(door)) facts.Learn(rows, most);
    return RowsAreInside(door, facts);
  }

  Catalog catalog_ = MakeShopCatalog({.min_frequency = 1, .max_groups = 3});
};

TEST_F(OwnerRowsTest, WholeTablesAreTheOwners) {
  EXPECT_TRUE(OwnerNames("SELECT count(*) FROM orders"));
  EXPECT_TRUE(OwnerNames("SELECT sum(quantity) FROM item"));
  EXPECT_TRUE(
      OwnerNames("SELECT count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id"));
}

TEST_F(OwnerRowsTest, A27WhatAnAnalystChoosesIsNot) {
  EXPECT_FALSE(OwnerNames("SELECT count(*) FROM orders WHERE amount > 5"));
  EXPECT_FALSE(OwnerNames("SELECT count(*) FROM orders WHERE customer_id = order_id"));
  EXPECT_FALSE(
      OwnerNames("SELECT count(*) FROM customer c JOIN orders o ON "
                 "c.customer_id = o.customer_id AND c.age < 30"));
  EXPECT_FALSE(OwnerNames("SELECT count(*) FROM customer c JOIN city t ON t.name = c.city"));
  EXPECT_FALSE(
      OwnerNames("SELECT count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id"));
  EXPECT_FALSE(OwnerNames("SELECT count(*) FROM (SELECT * FROM orders WHERE amount > 5) o"));
}

// What is learned of the owner's rows serves every question about some of them, and is counted
// without any word of the question.
TEST_F(OwnerRowsTest, A27TheOwnersRowsHaveNoConditionsOfTheAnalyst) {
  const auto owners = [&](const std::string& sql) {
    const DpPlan plan = PlanQuery(sql, catalog_);
    return OwnersRowsOf(plan.doors().front());
  };
  const auto whole = owners("SELECT count(*) FROM orders");
  ASSERT_TRUE(whole.has_value());
  for (const char* sql : {"SELECT count(*) FROM orders WHERE amount > 5 AND customer_id = 7",
                          "SELECT sum(amount) FROM orders WHERE order_id = 3"}) {
    const auto some = owners(sql);
    ASSERT_TRUE(some.has_value()) << sql;
    EXPECT_EQ(some->most, whole->most) << sql;
    EXPECT_EQ(some->rows.from, whole->rows.from) << sql;
    EXPECT_EQ(some->rows.conditions, whole->rows.conditions) << sql;
  }
  const auto joined = owners(
      "SELECT sum(amount) FROM customer c JOIN orders o ON c.customer_id = o.customer_id AND "
      "c.age < 30");
  ASSERT_TRUE(joined.has_value());
  EXPECT_EQ(joined->most.find("age"), std::string::npos) << joined->most;
  EXPECT_EQ(joined->rows.conditions.size(), whole->rows.conditions.size() + 1);
  for (const char* sql : {"SELECT count(*) FROM customer c JOIN city t ON t.name = c.city",
                          "SELECT count(*) FROM (SELECT * FROM orders WHERE amount > 5) o",
                          "SELECT count(DISTINCT customer_id) FROM orders",
                          "SELECT count(*) FROM orders a JOIN orders b ON "
                          "a.customer_id = b.customer_id"}) {
    EXPECT_FALSE(owners(sql).has_value()) << sql;
  }
}

// Else a search for the bound at which the pass becomes slow would end at a person's rows.
TEST_F(OwnerRowsTest, A27OnlyTheOwnersCapIsHeldAgainstWhatIsKnown) {
  const DpPlan plan = PlanQuery("SELECT count(*) FROM orders", catalog_);
  const std::int64_t cap = plan.doors().front().rows_per_unit.value;
  ASSERT_GT(cap, 2);
  EXPECT_TRUE(LeavesUnitsOut("", cap));
  EXPECT_TRUE(LeavesUnitsOut(std::to_string(cap), 1));
  EXPECT_FALSE(LeavesUnitsOut("", cap + 1));
  EXPECT_FALSE(LeavesUnitsOut(std::to_string(cap + 1), cap + 1));
  for (const std::int64_t most : {std::int64_t{1}, cap - 1}) {
    EXPECT_FALSE(LeavesUnitsOut(std::to_string(cap - 1), most));
  }
}

}  // namespace
}  // namespace dpsql
