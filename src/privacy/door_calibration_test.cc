#include "privacy/door_calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/check.h"
#include "privacy/normal.h"
#include "privacy/threshold.h"
#include "support/slow_privacy.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

// What a calibration really does: the rounded sigma, its tau, and all statistics together.
JointDeltaInput Achieved(const DoorTarget& target, const DoorCalibration& door) {
  return {.epsilon = target.asked.epsilon,
          .cells = target.cells,
          .sigma_count = door.sigma_count.value(),
          .shown = ShownProbability(door.sigma_count, door.tau - target.min_frequency),
          .mu_statistics = door.mu_statistic * std::sqrt(target.statistics)};
}

TEST(DoorCalibrationTest, JointDeltaMatchesVectors) {
  for (const auto& row : TestVectors()["gshm_exact_delta"]) {
    const double sigma = NumberOf(row["sigma"]);
    const JointDeltaInput input = {.epsilon = NumberOf(row["eps"]),
                                   .cells = row["C0"].get<std::int64_t>(),
                                   .sigma_count = sigma,
                                   .shown = UpperTail(NumberOf(row["tau_minus_k"]) / sigma),
                                   .mu_statistics = NumberOf(row["mu_stage2"])};
    EXPECT_NEAR(JointDelta(input) / NumberOf(row["delta"]), 1, 1e-10) << row;
  }
}

TEST(DoorCalibrationTest, JointDeltaIsNeverBelowFiftyDigits) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution unit(0.0, 1.0);
  for (int i = 0; i < 150; ++i) {
    const JointDeltaInput input = {.epsilon = std::exp(-4 + 6 * unit(random)),
                                   .cells = 1 + static_cast<std::int64_t>(random() % 6),
                                   .sigma_count = std::exp(4 * unit(random)),
                                   .shown = std::pow(10, -20 * unit(random)),
                                   .mu_statistics = i % 7 == 0 ? 0 : 0.5 * unit(random)};
    const double exact = SlowJointDelta(input);
    if (exact < 1e-290) continue;
    ASSERT_GE(JointDelta(input), exact) << i;
    ASSERT_LE(JointDelta(input), exact * (1 + 1e-9)) << i;
  }
}

// Every a, one by one, with the fast terms: what the search must find without looking at each.
double ExhaustiveJointDelta(const JointDeltaInput& input) {
  double worst = 0;
  for (std::int64_t a = 0; a <= input.cells; ++a) {
    const double count_mu = std::sqrt(static_cast<double>(input.cells - a)) / input.sigma_count;
    const double mu = std::hypot(count_mu, input.mu_statistics);
    const double shift = static_cast<double>(a) * std::log1p(-input.shown);
    const double appears =
        -std::expm1(shift) + std::exp(shift) * GaussianDelta(input.epsilon - shift, mu);
    worst = std::max({worst, appears, GaussianDelta(input.epsilon + shift, mu)});
  }
  return worst;
}

TEST(DoorCalibrationTest, JointDeltaOfManyCellsIsTheMaximumOverAll) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution unit(0.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    const auto cells = static_cast<std::int64_t>(65 + random() % 1000);
    const double mu = std::exp(-3 + 3 * unit(random));
    const double root = std::sqrt(static_cast<double>(cells));
    const JointDeltaInput input = {.epsilon = mu * (1 + 5 * unit(random)),
                                   .cells = cells,
                                   .sigma_count = root / mu,
                                   .shown = std::pow(10, -12 * unit(random)),
                                   .mu_statistics = mu * unit(random)};
    const double exact = ExhaustiveJointDelta(input);
    ASSERT_GE(JointDelta(input), exact) << i;
    ASSERT_LE(JointDelta(input), exact * (1 + 1e-9)) << i;
  }
}

// Where the two ends weigh the same, the maximum lies between them: rare, but never to be missed.
TEST(DoorCalibrationTest, JointDeltaFindsAMaximumBetweenTheEnds) {
  int between = 0;
  for (const std::int64_t cells : {32, 320, 3200}) {
    for (int step = 0; step < 40; ++step) {
      const auto count = static_cast<double>(cells);
      const JointDeltaInput input = {.epsilon = 0.0190891,
                                     .cells = cells,
                                     .sigma_count = std::sqrt(count) / 0.208698,
                                     .shown = (0.072 + 0.0002 * step) / count,
                                     .mu_statistics = 0.116007};
      const double exact = ExhaustiveJointDelta(input);
      const double none = GaussianDelta(input.epsilon, std::hypot(0.208698, 0.116007));
      const double all = -std::expm1(count * std::log1p(-input.shown));
      between += exact > none * 1.0001 && exact > all * 1.1;
      ASSERT_GE(JointDelta(input), exact) << cells << " " << step;
      ASSERT_LE(JointDelta(input), exact * (1 + 1e-9)) << cells << " " << step;
    }
  }
  EXPECT_GT(between, 0);
}

TEST(DoorCalibrationTest, ATinyLeakIsNotLost) {
  const JointDeltaInput input = {
      .epsilon = 1, .cells = 3, .sigma_count = 1e6, .shown = 1e-30, .mu_statistics = 0};
  EXPECT_NEAR(JointDelta(input) / 3e-30, 1, 1e-9);
}

TEST(DoorCalibrationTest, CalibrationKeepsDeltaOnRandomDoors) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution unit(0.0, 1.0);
  for (int i = 0; i < 3000; ++i) {
    DoorTarget target = {
        .asked = {std::exp(-5 + 8 * unit(random)), std::pow(10, -1 - 11 * unit(random))},
        .selects_keys = true,
        .cells = std::int64_t{1} << (random() % 12),
        .min_frequency = static_cast<std::int64_t>(random() % 50),
        .statistics = static_cast<int>(random() % 5)};
    target.delta_infinity = target.asked.delta * std::pow(10, -6 * unit(random));
    const DoorCalibration door = CalibrateDoor(target);
    ASSERT_LE(JointDelta(Achieved(target, door)), target.asked.delta) << i;
    ASSERT_LE(door.delta_infinity, target.delta_infinity) << i;
    ASSERT_GE(door.tau, target.min_frequency) << i;
    if (i % 60 != 0 || target.cells > 8) continue;
    ASSERT_LE(SlowJointDelta(Achieved(target, door)), target.asked.delta) << i;
  }
}

// With a small leak nothing is lost against a plain Gaussian of the same (epsilon, delta).
TEST(DoorCalibrationTest, ASmallLeakCostsNoNoise) {
  const DoorTarget target = {.asked = {1, 1e-6},
                             .selects_keys = true,
                             .cells = 4,
                             .delta_infinity = 1e-11,
                             .min_frequency = 10,
                             .statistics = 2};
  const DoorCalibration door = CalibrateDoor(target);
  const double mu = GaussianMu(target.asked);
  EXPECT_NEAR(door.mu_statistic, mu / std::sqrt(3), 1e-12);
  EXPECT_NEAR(door.sigma_count.value(), std::sqrt(4 * 3) / mu, 1e-8);
  EXPECT_EQ(door.tau, NoisyThreshold({door.sigma_count, 4, 1e-11, 10}));
}

struct DoorRow {
  std::int64_t cells;
  int statistics;
  double sigma;
};

// The joint calibration at (1, 1e-6) with four fifths of delta allowed to key selection: up to five
// statistics nothing is lost against a plain Gaussian, with eight a little.
TEST(DoorCalibrationTest, LargeLeakMatchesTheHandbookTable) {
  const DoorRow rows[] = {{1, 1, 5.975}, {1, 2, 7.317}, {1, 3, 8.449}, {1, 5, 10.35},
                          {1, 8, 12.86}, {2, 1, 8.449}, {5, 1, 13.36}, {10, 1, 18.89}};
  for (const auto& [cells, statistics, sigma] : rows) {
    const DoorTarget target = {.asked = {1, 1e-6},
                               .selects_keys = true,
                               .cells = cells,
                               .delta_infinity = 0.8e-6,
                               .statistics = statistics};
    EXPECT_NEAR(CalibrateDoor(target).sigma_count.value(), sigma, 0.0005 * sigma) << statistics;
  }
}

TEST(DoorCalibrationTest, WithoutKeySelectionAllGoesToTheStatistics) {
  const DoorCalibration door = CalibrateDoor({.asked = {1, 1e-6}, .statistics = 4});
  EXPECT_DOUBLE_EQ(door.mu_statistic, GaussianMu({1, 1e-6}) / 2);
  EXPECT_EQ(door.sigma_count.numerator, 0u);
  EXPECT_EQ(door.tau, 0);
  EXPECT_EQ(CalibrateDoor({.asked = {1, 1e-6}, .statistics = 0}).mu_statistic, 0);
}

double SumOfSquares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

TEST(DoorCalibrationTest, WeightsMoveSharesBetweenStatistics) {
  DoorTarget target = {.asked = {1, 1e-6},
                       .selects_keys = true,
                       .cells = 2,
                       .delta_infinity = 1e-11,
                       .min_frequency = 10,
                       .statistics = 3};
  const DoorCalibration equal = CalibrateDoor(target);
  ASSERT_EQ(equal.mu_statistics.size(), 3u);
  for (const double mu : equal.mu_statistics) EXPECT_NEAR(mu / equal.mu_statistic, 1, 1e-13);
  target.weights = {1, 2, 5};
  const DoorCalibration weighted = CalibrateDoor(target);
  // The count, its threshold and the total are those of the door without weights.
  EXPECT_EQ(weighted.tau, equal.tau);
  EXPECT_EQ(weighted.sigma_count.numerator, equal.sigma_count.numerator);
  EXPECT_EQ(weighted.mu_statistic, equal.mu_statistic);
  EXPECT_NEAR(SumOfSquares(weighted.mu_statistics) / SumOfSquares(equal.mu_statistics), 1, 1e-13);
  const double first = weighted.mu_statistics[0] * weighted.mu_statistics[0];
  EXPECT_NEAR(weighted.mu_statistics[1] * weighted.mu_statistics[1] / first, 2, 1e-12);
  EXPECT_NEAR(weighted.mu_statistics[2] * weighted.mu_statistics[2] / first, 5, 1e-12);
}

TEST(DoorCalibrationTest, SharesNeverSumAboveMu) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution unit(0.0, 1.0);
  for (int i = 0; i < 10000; ++i) {
    std::vector<double> weights(1 + random() % 12);
    for (double& weight : weights) weight = std::pow(10, -300 + 600 * unit(random));
    const double mu = std::exp(-20 + 22 * unit(random));
    const int statistics = static_cast<int>(weights.size());
    const std::vector<double> shares = ShareMu(mu, statistics, weights);
    ASSERT_LE(SumOfSquares(shares), mu * mu);
    ASSERT_GE(SumOfSquares(shares), mu * mu * (1 - 1e-12));
    // One twentieth of an equal share, after the rest was shared again.
    for (const double share : shares) {
      ASSERT_GE(share * share, 0.047 * mu * mu / statistics);
    }
  }
}

// The example of the handbook: the count and the sum would be starved.
TEST(DoorCalibrationTest, AStarvedStatisticIsRaised) {
  const std::vector<double> shares = ShareMu(1, 3, std::vector<double>{1.7e-4, 4.2e-4, 0.999});
  EXPECT_NEAR(shares[0] * shares[0], 0.05 / 3 / (0.999 / 0.99959 + 0.1 / 3), 1e-4);
  EXPECT_EQ(shares[0], shares[1]);
  EXPECT_NEAR(SumOfSquares(shares), 1, 1e-12);
}

TEST(DoorCalibrationTest, WeightsThatDoNotFitAreBugs) {
  EXPECT_THROW(ShareMu(1, 2, std::vector<double>{1}), Bug);
  EXPECT_THROW(ShareMu(1, 1, std::vector<double>{0}), Bug);
  EXPECT_THROW(ShareMu(1, 1, std::vector<double>{std::nan("")}), Bug);
  EXPECT_THROW(ShareMu(1, 2, std::vector<double>{1, HUGE_VAL}), Bug);
  EXPECT_THROW(ShareMu(1, 0, {}), Bug);
}

TEST(DoorCalibrationTest, ALeakThatFillsDeltaIsLowered) {
  const DoorTarget target = {
      .asked = {1, 1e-6}, .selects_keys = true, .delta_infinity = std::nextafter(1e-6, 0)};
  EXPECT_LE(JointDelta(Achieved(target, CalibrateDoor(target))), 1e-6);
}

TEST(DoorCalibrationTest, ImpossibleDoorsAreBugs) {
  DoorTarget target = {.asked = {1, 1e-6}, .selects_keys = true, .delta_infinity = 1e-6};
  EXPECT_THROW(CalibrateDoor(target), Bug);
  target.delta_infinity = 0;
  EXPECT_THROW(CalibrateDoor(target), Bug);
  EXPECT_THROW(CalibrateDoor({.asked = {0, 1e-6}}), Bug);
  EXPECT_THROW(CalibrateDoor({.asked = {1, 0}}), Bug);
  EXPECT_THROW(JointDelta({.cells = 0}), Bug);
}

}  // namespace
}  // namespace dpsql
