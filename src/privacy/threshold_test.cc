#include "privacy/threshold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/check.h"
#include "privacy/normal.h"
#include "support/slow_privacy.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

TEST(ThresholdTest, CellLeakGivesTheContinuousThreshold) {
  for (const auto& row : TestVectors()["tau_minus_k"]) {
    const double leak = CellLeak(NumberOf(row["delta_inf"]), row["C0"].get<std::int64_t>());
    const double above = NumberOf(row["sigma"]) * UpperQuantile(leak);
    EXPECT_NEAR(above / NumberOf(row["tau_minus_k"]), 1, 1e-13) << row;
  }
}

TEST(ThresholdTest, ContinuousThresholdMatchesVectorsFromAbove) {
  for (const auto& row : TestVectors()["tau_minus_k"]) {
    const ContinuousThreshold threshold = {.sigma = NumberOf(row["sigma"]),
                                           .cells = row["C0"].get<std::int64_t>()};
    const double delta_infinity = NumberOf(row["delta_inf"]);
    const double above = TauAboveK(threshold, delta_infinity);
    EXPECT_GE(above, NumberOf(row["tau_minus_k"])) << row;
    EXPECT_NEAR(above / NumberOf(row["tau_minus_k"]), 1, 1e-9) << row;
    EXPECT_LE(ContinuousDeltaInfinity(threshold, above), delta_infinity) << row;
  }
  EXPECT_NEAR(ContinuousDeltaInfinity({.sigma = 5, .cells = 3}, 25) / 8.599544691302343e-7, 1,
              1e-9);
  EXPECT_THROW(TauAboveK({.sigma = 0}, 0.1), Bug);
  EXPECT_THROW(TauAboveK({.cells = 0}, 0.1), Bug);
  EXPECT_THROW(TauAboveK({}, 0), Bug);
}

TEST(ThresholdTest, IntegerThresholdMatchesVectors) {
  for (const auto& row : TestVectors()["tau_integer_rounded_gaussian"]) {
    const ThresholdTarget target = {.sigma = RoundSigmaUp(NumberOf(row["sigma"])),
                                    .cells = row["C0"].get<std::int64_t>(),
                                    .delta_infinity = NumberOf(row["delta_inf"]),
                                    .min_frequency = row["k"].get<std::int64_t>()};
    const std::int64_t tau = NoisyThreshold(target);
    EXPECT_EQ(tau, row["tau"].get<std::int64_t>()) << row;
    EXPECT_NEAR(AchievedDeltaInfinity(target, tau) / NumberOf(row["achieved"]), 1, 1e-9) << row;
  }
}

struct LeakRow {
  double sigma;
  std::int64_t cells;
  std::int64_t above;
  double delta_infinity;
};

// This table is for continuous noise, hence without the half of the rounding.
TEST(ThresholdTest, LeakMatchesTheHandbookTable) {
  const LeakRow rows[] = {{5, 3, 25, 8.599544691302343e-7},
                          {10, 10, 60, 9.865876406575998e-9},
                          {2, 5, 20, 3.809926512080263e-23}};
  for (const auto& [sigma, cells, above, delta_infinity] : rows) {
    const double shown = UpperTail(static_cast<double>(above) / sigma);
    EXPECT_NEAR(CellLeak(delta_infinity, cells) / shown, 1, 1e-12) << sigma;
  }
}

// The exact leak of a threshold. For a tiny tail 1 - (1 - q)^n = n q to first order, within n^2
// q^2.
double SlowDeltaInfinity(const ThresholdTarget& target, std::int64_t tau) {
  const double above = static_cast<double>(tau - target.min_frequency) - 0.5;
  const double shown = SlowUpperTail(above / target.sigma.value());
  return -std::expm1(static_cast<double>(target.cells) * std::log1p(-shown));
}

TEST(ThresholdTest, ThresholdIsTheLeastThatKeepsTheLeak) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution unit(0.0, 1.0);
  for (int i = 0; i < 10000; ++i) {
    const ThresholdTarget target = {.sigma = RoundSigmaUp(std::exp2(-4 + 30 * unit(random))),
                                    .cells = std::int64_t{1} << (random() % 20),
                                    .delta_infinity = std::pow(10, -0.01 - 60 * unit(random)),
                                    .min_frequency = static_cast<std::int64_t>(random() % 100)};
    const std::int64_t tau = NoisyThreshold(target);
    ASSERT_LE(AchievedDeltaInfinity(target, tau), target.delta_infinity);
    ASSERT_GT(AchievedDeltaInfinity(target, tau - 1), target.delta_infinity);
    if (i % 20 != 0) continue;
    ASSERT_LE(SlowDeltaInfinity(target, tau), AchievedDeltaInfinity(target, tau));
    ASSERT_GT(SlowDeltaInfinity(target, tau), AchievedDeltaInfinity(target, tau) * (1 - 1e-9));
  }
}

TEST(ThresholdTest, HugeNoiseStillKeepsTheLeak) {
  ThresholdTarget target = {.sigma = RoundSigmaUp(0x1p55), .delta_infinity = 1e-12};
  EXPECT_LE(AchievedDeltaInfinity(target, NoisyThreshold(target)), 1e-12);
  target.sigma = RoundSigmaUp(0x1p59);
  target.delta_infinity = 1e-30;
  EXPECT_THROW(NoisyThreshold(target), Bug);
}

TEST(ThresholdTest, AThresholdWithoutNoiseOrLeakIsABug) {
  const GridSigma sigma = RoundSigmaUp(3);
  EXPECT_THROW(NoisyThreshold({.delta_infinity = 0.1}), Bug);
  EXPECT_THROW(NoisyThreshold({.sigma = sigma, .cells = 0, .delta_infinity = 0.1}), Bug);
  EXPECT_THROW(NoisyThreshold({.sigma = sigma, .delta_infinity = 0}), Bug);
  EXPECT_THROW(NoisyThreshold({.sigma = sigma, .delta_infinity = 1}), Bug);
}

}  // namespace
}  // namespace dpsql
