#include "privacy/conversion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "privacy/normal.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr UInt128 kOneUnit = UInt128{1} << 96;

// The least mu whose trade-off curve passes below the point: errors (alpha, beta) of a test.
double MuBelow(double alpha, double beta) { return UpperQuantile(alpha) + UpperQuantile(beta); }

TEST(ConversionTest, PureDpMatchesVectorsFromAbove) {
  for (const auto& row : TestVectors()["pure_dp_to_gdp_mu"]) {
    const double mu = PureDpMu(NumberOf(row["eps"]));
    EXPECT_GE(mu, NumberOf(row["mu"])) << row;
    EXPECT_NEAR(mu / NumberOf(row["mu"]), 1, 1e-12) << row;
  }
  EXPECT_EQ(PureDpMu(0), 0);
  EXPECT_NEAR(PureDpMu(1e-200) / 1e-200, std::sqrt(std::acos(-1.0) / 2), 1e-11);
  // Q(z) is about exp(-z^2/2): mu grows as 2 sqrt(2 epsilon).
  EXPECT_NEAR(PureDpMu(1e100) / 1e50, 2 * std::sqrt(2.0), 1e-9);
}

// The curve of randomised response is two lines that meet at (q, q), q = 1/(1 + e^epsilon).
TEST(ConversionTest, PureDpIsAttainedByRandomisedResponse) {
  for (const double epsilon : {0.01, 0.5, 3.0, 20.0}) {
    const double q = 1 / (1 + std::exp(epsilon));
    EXPECT_NEAR(PureDpMu(epsilon) / MuBelow(q, q), 1, 1e-10) << epsilon;
  }
}

// Losses t and t - epsilon, t between 0 and epsilon: no t needs more than epsilon / 2 does.
TEST(ConversionTest, BoundedRangeIsTheWorstOfAllRanges) {
  for (const double epsilon : {0.1, 1.0, 4.0, 15.0}) {
    double worst = 0;
    for (int i = 1; i < 2000; ++i) {
      const double t = epsilon * i / 2000;
      const double alpha = std::expm1(epsilon - t) / std::expm1(epsilon);
      worst = std::max(worst, MuBelow(alpha, 1 - std::exp(t) * alpha));
    }
    EXPECT_GE(BoundedRangeMu(epsilon) * (1 + 1e-12), worst) << epsilon;
    EXPECT_NEAR(BoundedRangeMu(epsilon) / worst, 1, 1e-9) << epsilon;
  }
}

// The curve of Laplace noise of scale 1/epsilon on a shift of 1.
double LaplaceCurve(double alpha, double epsilon) {
  if (alpha < 0.5 * std::exp(-epsilon)) return 1 - std::exp(epsilon) * alpha;
  if (alpha < 0.5) return std::exp(-epsilon) / (4 * alpha);
  return std::exp(-epsilon) * (1 - alpha);
}

TEST(ConversionTest, ContinuousLaplaceIsTheWorstPointOfItsCurve) {
  for (const double epsilon : {0.1, 0.5, 1.0, 2.0, 5.0, 12.0}) {
    double worst = 0;
    for (int i = 1; i < 4000; ++i) {
      const double alpha = std::exp(-0.5 * epsilon) * 0.5 * std::exp((i - 2000) * 0.002);
      if (alpha >= 1) break;
      worst = std::max(worst, MuBelow(alpha, LaplaceCurve(alpha, epsilon)));
    }
    EXPECT_NEAR(ContinuousLaplaceMu(epsilon) / worst, 1, 1e-9) << epsilon;
    EXPECT_LT(ContinuousLaplaceMu(epsilon), PureDpMu(epsilon));
  }
  EXPECT_NEAR(PureDpMu(0.1) / ContinuousLaplaceMu(0.1), 1.024, 0.001);
  EXPECT_NEAR(ContinuousLaplaceMu(5) / PureDpMu(5), 0.703, 0.001);
}

// A shift of one step of discrete noise has two losses only, +-epsilon: it is randomised response,
// and the smaller value of continuous noise would be too small a charge for it.
TEST(ConversionTest, DiscreteLaplaceNeedsThePureValue) {
  const double epsilon = 0.7;
  const double below = 1 / (1 + std::exp(-epsilon));  // P(X <= 0)
  const double above = 1 - below;                     // P(X >= 1), which is P(X - 1 <= -1)
  EXPECT_NEAR(MuBelow(above, above) / PureDpMu(epsilon), 1, 1e-12);
  EXPECT_GT(MuBelow(above, above), 1.01 * ContinuousLaplaceMu(epsilon));
}

TEST(ConversionTest, ChargesAreSquares) {
  const MuCharge pure = GdpChargeOfBlackBox({1, 0});
  EXPECT_NEAR(static_cast<double>(pure.mu_squared) / static_cast<double>(kOneUnit),
              std::pow(1.2320353853449010, 2), 1e-11);
  EXPECT_TRUE(pure.delta_infinity == 0);
  EXPECT_TRUE(GdpChargeOfBlackBox({1, 0.5}).delta_infinity == UInt128{1} << 119);
  EXPECT_TRUE(GdpChargeOfBoundedRange(2).mu_squared == pure.mu_squared);
  EXPECT_TRUE(ZcdpChargeOfBlackBox({1, 0.5}).rho == kOneUnit / 2);
  EXPECT_TRUE(ZcdpChargeOfBlackBox({1, 0.5}).delta_infinity == UInt128{1} << 119);
  EXPECT_TRUE(ZcdpChargeOfBoundedRange(1).rho == kOneUnit / 8);
}

TEST(ConversionTest, TheSmallestEpsilonCostsAUnitAndTheLargestEverything) {
  EXPECT_TRUE(ZcdpChargeOfBlackBox({1e-300, 0}).rho == 1);
  EXPECT_TRUE(GdpChargeOfBlackBox({1e-300, 1e-300}).mu_squared == 1);
  EXPECT_TRUE(GdpChargeOfBlackBox({1e-300, 1e-300}).delta_infinity == 1);
  EXPECT_TRUE(GdpChargeOfBlackBox({0, 0}).mu_squared == 0);
  EXPECT_TRUE(ZcdpChargeOfBlackBox({0, 0}).rho == 0);
  EXPECT_TRUE(GdpChargeOfBlackBox({1e290, 0}).mu_squared == ~UInt128{0});
  EXPECT_TRUE(ZcdpChargeOfBlackBox({1e6, 0}).rho == ~UInt128{0});
}

TEST(ConversionTest, WhatIsNoGuaranteeIsABug) {
  EXPECT_THROW(PureDpMu(-1), Bug);
  EXPECT_THROW(PureDpMu(std::nan("")), Bug);
  EXPECT_THROW(PureDpMu(HUGE_VAL), Bug);
  EXPECT_THROW(GdpChargeOfBlackBox({1, 1}), Bug);
  EXPECT_THROW(ZcdpChargeOfBlackBox({1, -0.1}), Bug);
}

}  // namespace
}  // namespace dpsql
