#include "base/suggest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dpsql {
namespace {

const std::vector<std::string> kNames = {"customer", "orders", "c_custkey", "c_name", "id"};

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(Suggest("custmer", kNames), "customer");
  EXPECT_EQ(Suggest("ordres", kNames), "orders");
  EXPECT_EQ(Suggest("ORDERS", kNames), "orders");
  EXPECT_EQ(Suggest("c_custky", kNames), "c_custkey");
  EXPECT_EQ(Suggest("di", kNames), "id");
}

TEST(Suggest, StaysSilentWhereNothingIsNear) {
  EXPECT_EQ(Suggest("lineitem", kNames), std::nullopt);
  EXPECT_EQ(Suggest("x", kNames), std::nullopt);
  EXPECT_EQ(Suggest("", kNames), std::nullopt);
  EXPECT_EQ(Suggest("anything", {}), std::nullopt);
  EXPECT_EQ(Suggest(std::string(10'000, 'a'), kNames), std::nullopt);
}

TEST(Suggest, ALetterIsSoonerLeftOutThanPutIn) {
  const std::vector<std::string> names = {"cot", "count", "conv"};
  EXPECT_EQ(Suggest("cont", names), "count");
}

TEST(Suggest, TakesTheFirstOfEquals) {
  const std::vector<std::string> names = {"price_b", "price_c"};
  EXPECT_EQ(Suggest("price_a", names), "price_b");
}

}  // namespace
}  // namespace dpsql
