#include "privacy/gdp_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.h"
#include "privacy/fixed_point.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr GdpBudget kBudget = {.total = {1, 1e-6}, .threshold_share = 0.1};

Cost CostOf(UInt128 mu_squared, UInt128 delta_infinity) {
  return {.mu_squared = mu_squared, .delta_infinity = delta_infinity};
}

TEST(GdpFilterTest, CapsMatchTheExampleFromBelow) {
  const auto& example = TestVectors()["filter_example"];
  const GdpState caps = GdpCaps(kBudget);
  const double mu_squared = MuSquaredToDoubleUp(caps.mu_squared);
  const double exact = NumberOf(example["mu_B_sq"]);
  EXPECT_LT(mu_squared, exact);
  EXPECT_GT(mu_squared, exact * (1 - 1e-10));
  EXPECT_LE(DeltaInfinityToDoubleUp(caps.delta_infinity), 1e-7);
  EXPECT_GT(DeltaInfinityToDoubleUp(caps.delta_infinity), 1e-7 * (1 - 1e-14));
}

TEST(GdpFilterTest, NinetyFourQueriesOfTheExampleFit) {
  const auto& example = TestVectors()["filter_example"];
  const GdpState caps = GdpCaps(kBudget);
  const Cost cost = CostOf(MuSquaredUp(NumberOf(example["query_mu_sq"])), 0);
  EXPECT_EQ(GdpQueriesLeft(caps, {}, cost), example["admitted"].get<std::int64_t>());
  GdpState spent;
  std::int64_t admitted = 0;
  while (GdpAdmits(caps, spent, cost)) {
    spent.mu_squared += cost.mu_squared;
    ++admitted;
    EXPECT_EQ(GdpQueriesLeft(caps, spent, cost), 94 - admitted);
  }
  EXPECT_EQ(admitted, 94);
}

TEST(GdpFilterTest, AdmitsUpToTheCapAndNotBeyond) {
  const GdpState caps = {.mu_squared = 100, .delta_infinity = 50};
  EXPECT_TRUE(GdpAdmits(caps, {}, CostOf(100, 50)));
  EXPECT_FALSE(GdpAdmits(caps, {}, CostOf(101, 50)));
  EXPECT_FALSE(GdpAdmits(caps, {}, CostOf(100, 51)));
  EXPECT_TRUE(GdpAdmits(caps, {60, 0}, CostOf(40, 0)));
  EXPECT_FALSE(GdpAdmits(caps, {61, 0}, CostOf(40, 0)));
  EXPECT_TRUE(GdpAdmits(caps, {100, 50}, CostOf(0, 0)));
}

TEST(GdpFilterTest, SumsThatWouldWrapAreRefused) {
  const UInt128 top = ~UInt128{0};
  const GdpState caps = {.mu_squared = 100, .delta_infinity = 100};
  EXPECT_FALSE(GdpAdmits(caps, {50, 0}, CostOf(top - 40, 0)));
  EXPECT_FALSE(GdpAdmits(caps, {top, 0}, CostOf(1, 0)));
  EXPECT_FALSE(GdpAdmits(caps, {0, 101}, CostOf(0, 0)));
  EXPECT_EQ(GdpQueriesLeft(caps, {0, 101}, CostOf(1, 0)), 0);
}

TEST(GdpFilterTest, QueriesLeftIsTheScarcerPurse) {
  const GdpState caps = {.mu_squared = 100, .delta_infinity = 50};
  EXPECT_EQ(GdpQueriesLeft(caps, {}, CostOf(7, 1)), 14);
  EXPECT_EQ(GdpQueriesLeft(caps, {}, CostOf(7, 10)), 5);
  EXPECT_EQ(GdpQueriesLeft(caps, {}, CostOf(0, 10)), 5);
  const std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(GdpQueriesLeft(caps, {}, CostOf(0, 0)), unlimited);
  EXPECT_EQ(GdpQueriesLeft({~UInt128{0}, 50}, {}, CostOf(1, 0)), unlimited);
}

TEST(GdpFilterTest, EpsilonLeftStartsJustBelowTheBudgetAndEndsAtZero) {
  const GdpState caps = GdpCaps(kBudget);
  const double full = GdpEpsilonLeft(kBudget, caps, {});
  EXPECT_LE(full, 1);
  EXPECT_GT(full, 1 - 1e-8);
  EXPECT_EQ(GdpEpsilonLeft(kBudget, caps, caps), 0);
  EXPECT_EQ(GdpEpsilonLeft(kBudget, caps, {~UInt128{0}, 0}), 0);
}

TEST(GdpFilterTest, EpsilonIsRoundedAsNamed) {
  const GdpState caps = GdpCaps(kBudget);
  for (unsigned part = 1; part < 64; ++part) {
    const GdpState spent = {.mu_squared = caps.mu_squared / 64 * part};
    const double mu_spent = std::sqrt(MuSquaredToDoubleDown(spent.mu_squared));
    const double mu_left = std::sqrt(MuSquaredToDoubleUp(caps.mu_squared - spent.mu_squared));
    EXPECT_LE(GaussianDelta(GdpEpsilonSpent(kBudget, spent), mu_spent), 0.9e-6);
    EXPECT_GE(GaussianDelta(GdpEpsilonLeft(kBudget, caps, spent), mu_left), 0.9e-6);
    EXPECT_NEAR(GaussianDelta(GdpEpsilonSpent(kBudget, spent), mu_spent), 0.9e-6, 1e-14);
    EXPECT_NEAR(GaussianDelta(GdpEpsilonLeft(kBudget, caps, spent), mu_left), 0.9e-6, 1e-14);
  }
}

TEST(GdpFilterTest, ABudgetWithoutSharesIsABug) {
  EXPECT_THROW(GdpCaps({.total = {1, 1e-6}, .threshold_share = 0}), Bug);
  EXPECT_THROW(GdpCaps({.total = {1, 1e-6}, .threshold_share = 1}), Bug);
  EXPECT_THROW(GdpCaps({.total = {1, 0}}), Bug);
}

}  // namespace
}  // namespace dpsql
