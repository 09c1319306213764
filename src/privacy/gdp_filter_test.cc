#include "privacy/gdp_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.h"
#include "privacy/fixed_point.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr Budget kBudget = {.total = {1, 1e-6}};

Purses ChargeOf(UInt128 mu_squared, UInt128 delta) {
  return {.mu_squared = mu_squared, .delta = delta, .epsilon = 0};
}

TEST(GdpFilterTest, CapsMatchTheExampleFromBelow) {
  const auto& example = TestVectors()["filter_example"];
  const Purses caps = GdpCaps(kBudget);
  const double mu_squared = MuSquaredToDoubleUp(caps.mu_squared);
  const double exact = NumberOf(example["mu_B_sq"]);
  EXPECT_LT(mu_squared, exact);
  EXPECT_GT(mu_squared, exact * (1 - 1e-10));
  EXPECT_LE(DeltaInfinityToDoubleUp(caps.delta), 1e-7);
  EXPECT_GT(DeltaInfinityToDoubleUp(caps.delta), 1e-7 * (1 - 1e-14));
}

TEST(GdpFilterTest, NinetyFourQueriesOfTheExampleFit) {
  const auto& example = TestVectors()["filter_example"];
  const Purses caps = GdpCaps(kBudget);
  const Purses cost = ChargeOf(MuSquaredUp(NumberOf(example["query_mu_sq"])), 0);
  EXPECT_EQ(TimesLeft(caps, {}, cost), example["admitted"].get<std::int64_t>());
  Purses spent;
  std::int64_t admitted = 0;
  while (Fits(caps, spent, cost)) {
    spent.mu_squared += cost.mu_squared;
    ++admitted;
    EXPECT_EQ(TimesLeft(caps, spent, cost), 94 - admitted);
  }
  EXPECT_EQ(admitted, 94);
}

TEST(GdpFilterTest, EpsilonLeftStartsJustBelowTheBudgetAndEndsAtZero) {
  const Purses caps = GdpCaps(kBudget);
  const double full = GdpEpsilonLeft(kBudget, caps, {});
  EXPECT_LE(full, 1);
  EXPECT_GT(full, 1 - 1e-8);
  EXPECT_EQ(GdpEpsilonLeft(kBudget, caps, caps), 0);
  EXPECT_EQ(GdpEpsilonLeft(kBudget, caps, {~UInt128{0}, 0}), 0);
}

TEST(GdpFilterTest, EpsilonIsRoundedAsNamed) {
  const Purses caps = GdpCaps(kBudget);
  for (unsigned part = 1; part < 64; ++part) {
    const Purses spent = {.mu_squared = caps.mu_squared / 64 * part};
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
  EXPECT_THROW(GdpCaps({.total = {1, 1e-6}, .pure_epsilon = 1.1}), Bug);
  EXPECT_THROW(GdpCaps({.total = {1, 1e-6}, .pure_epsilon = -0.1}), Bug);
}

// Both purses spent to the end are worth no more than the whole budget.
TEST(GdpFilterTest, ThePurePurseIsTakenFromTheGaussianOne) {
  for (const double pure : {0.0, 1e-9, 0.1, 0.3, 0.5, 0.9, 1.0}) {
    const Purses caps = GdpCaps({.total = {1, 1e-6}, .pure_epsilon = pure});
    const double mu = std::sqrt(MuSquaredToDoubleUp(caps.mu_squared));
    EXPECT_LE(MuSquaredToDoubleUp(caps.epsilon), pure);
    EXPECT_LE(GaussianDelta(1 - pure, mu), 0.9e-6) << pure;
    EXPECT_GT(GaussianDelta(1 - pure, mu), 0.9e-6 * (1 - 1e-8)) << pure;
  }
  const Purses half = GdpCaps({.total = {1, 1e-6}, .pure_epsilon = 0.5});
  EXPECT_NEAR(std::sqrt(MuSquaredToDoubleUp(half.mu_squared)), 0.123, 5e-4);
  const double spent = GdpEpsilonSpent({.total = {1, 1e-6}, .pure_epsilon = 0.5}, half);
  EXPECT_GT(spent, 1 - 1e-8);
  EXPECT_LT(spent, 1 + 1e-8);
}

}  // namespace
}  // namespace dpsql
