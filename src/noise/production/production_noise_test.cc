#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "noise/noise.h"
#include "privacy/laplace.h"
#include "privacy/truncated_geometric.h"

namespace dpsql {
namespace {

constexpr std::size_t kDraws = 20'000;
// Standard errors from the law's own number: a false alarm once in 10^15 runs.
constexpr double kErrors = 8;

// The three ways into the noise of the product lead to their own laws. The laws themselves are the
// samplers' tests.
TEST(ProductionNoise, GaussianHasThePlannedSigma) {
  constexpr double kSigma = 1'000;
  std::vector<Int128> draws(kDraws);
  MakeNoise()->Draw({.numerator = 1'000, .bits = 0}, draws);
  double squares = 0;
  for (const Int128 draw : draws) squares += std::pow(static_cast<double>(draw), 2);
  const double variance = squares / kDraws;
  EXPECT_NEAR(variance, kSigma * kSigma, kErrors * kSigma * kSigma * std::sqrt(2.0 / kDraws));
}

TEST(ProductionNoise, LaplaceHasThePlannedRate) {
  constexpr LaplaceRate kRate{.numerator = 1, .denominator = 1'000};
  std::vector<Int128> draws(kDraws);
  MakeNoise()->DrawLaplace(kRate, draws);
  double sizes = 0;
  for (const Int128 draw : draws) sizes += std::abs(static_cast<double>(draw));
  const double mean = LaplaceMeanAbsolute(kRate);
  const double error = std::sqrt((LaplaceVariance(kRate) - mean * mean) / kDraws);
  EXPECT_NEAR(sizes / kDraws, mean, kErrors * error);
}

TEST(ProductionNoise, CoinsFallAsTheyAreWeighed) {
  constexpr UInt128 kOne = UInt128{1} << kKeepBits;
  const std::vector<UInt128> quarter(kDraws, kOne / 4);
  const std::vector<bool> kept = MakeNoise()->Toss(quarter);
  const auto count = static_cast<double>(std::count(kept.begin(), kept.end(), true));
  EXPECT_NEAR(count / kDraws, 0.25, kErrors * std::sqrt(0.25 * 0.75 / kDraws));
  EXPECT_EQ(MakeNoise()->Toss(std::vector<UInt128>{0, kOne, 0, kOne}),
            (std::vector<bool>{false, true, false, true}));
}

// Neither has the plan's numbers changed: only zero noise does.
TEST(ProductionNoise, KeepsWhatThePlanSays) {
  EXPECT_EQ(MakeNoise()->StandardDeviation(3.5), 3.5);
  EXPECT_EQ(MakeNoise()->CountThreshold(17, 10), 17);
}

}  // namespace
}  // namespace dpsql
