#include "privacy/rdp_accountant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/check.h"
#include "privacy/fixed_point.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr Budget kBudget = {.total = {1, 1e-6}, .accountant = Accountant::kRdp};

void ExpectJustAbove(double value, double exact, double relative) {
  EXPECT_GE(value, exact * (1 - 1e-13));
  EXPECT_LE(value, exact * (1 + relative));
}

TEST(RdpAccountantTest, DeltaMatchesTheVectorsFromAbove) {
  for (const auto& vector : TestVectors()["zcdp_delta_cks"]) {
    const double delta = std::exp(LogZcdpDelta(NumberOf(vector["eps"]), NumberOf(vector["rho"])));
    ExpectJustAbove(delta, NumberOf(vector["delta"]), 1e-12);
  }
}

TEST(RdpAccountantTest, EpsilonMatchesTheKnownAnswersFromAbove) {
  ExpectJustAbove(ZcdpEpsilon(1e-6, 0.005), 0.42994146883695, 1e-10);
  ExpectJustAbove(ZcdpEpsilon(1e-6, 0.5), 5.2215344445302, 1e-10);
  ExpectJustAbove(ZcdpEpsilon(1e-10, 2), 14.870678006814, 1e-10);
}

TEST(RdpAccountantTest, RhoMatchesTheKnownCapacities) {
  EXPECT_NEAR(ZcdpRho({0.2, 1e-6}), 1.18337e-3, 1e-8);
  EXPECT_NEAR(ZcdpRho({1, 2e-7}), 0.0212895, 1e-7);
  EXPECT_NEAR(ZcdpRho({4, 1e-6}), 0.311065, 1e-6);
  EXPECT_NEAR(ZcdpRho({8, 1e-9}), 0.732833, 1e-6);
}

TEST(RdpAccountantTest, RhoAndEpsilonAreInversesRoundedApart) {
  for (const double epsilon : {0.0, 0.01, 0.5, 3.0, 40.0}) {
    for (const double delta : {1e-200, 1e-30, 1e-9, 1e-3, 0.3}) {
      const double rho = ZcdpRho({epsilon, delta});
      EXPECT_LE(LogZcdpDelta(epsilon, rho), std::log(delta));
      if (rho == 0) continue;  // less than the smallest number
      EXPECT_GT(LogZcdpDelta(epsilon, rho * (1 + 1e-6)), std::log(delta));
      EXPECT_LE(ZcdpEpsilon(delta, rho), epsilon * (1 + 1e-12));
    }
  }
}

TEST(RdpAccountantTest, NeverBeatsTheExactGaussian) {
  for (const double mu : {0.01, 0.1, 1.0, 3.0}) {
    for (const double delta : {1e-12, 1e-6, 1e-2}) {
      EXPECT_GE(ZcdpEpsilon(delta, 0.5 * mu * mu), GaussianEpsilon(delta, mu));
    }
  }
}

TEST(RdpAccountantTest, MoreRhoOrLessDeltaCostsMoreEpsilon) {
  double before = 0;
  for (double rho = 1e-4; rho < 10; rho *= 2) {
    const double epsilon = ZcdpEpsilon(1e-6, rho);
    EXPECT_GT(epsilon, before);
    EXPECT_GT(ZcdpEpsilon(1e-7, rho), epsilon);
    before = epsilon;
  }
}

TEST(RdpAccountantTest, AdmitsExactlyAsManyAsItAnnounces) {
  const Purses caps = RdpCaps(kBudget);
  const Purses charge = {.mu_squared = MuSquaredUp(0.001), .delta = DeltaInfinityUp(1e-10)};
  Purses spent;
  std::int64_t left = TimesLeft(caps, spent, charge);
  EXPECT_GT(left, 40);
  EXPECT_EQ(RdpEpsilonSpent(kBudget, spent), 0);
  EXPECT_NEAR(RdpEpsilonLeft(kBudget, caps, spent), 1, 1e-7);
  EXPECT_LE(RdpEpsilonLeft(kBudget, caps, spent), 1);
  for (; Fits(caps, spent, charge); --left) {
    EXPECT_EQ(TimesLeft(caps, spent, charge), left);
    spent = SumOf(spent, charge);
    EXPECT_LE(RdpEpsilonSpent(kBudget, spent), 1);
  }
  EXPECT_EQ(left, 0);
}

TEST(RdpAccountantTest, ChargesAreRoundedUpAndSaturate) {
  EXPECT_GE(MuSquaredToDoubleDown(RdpBlackBox({0.1, 0}).mu_squared), 0.01);
  EXPECT_LT(MuSquaredToDoubleUp(RdpBlackBox({0.1, 0}).mu_squared), 0.01 * (1 + 1e-14));
  EXPECT_EQ(RdpBlackBox({1e300, 0}).mu_squared, ~UInt128{0});
  EXPECT_THROW(RdpBlackBox({std::nan(""), 0}), Bug);
  EXPECT_THROW(ZcdpRho({1, 0}), Bug);
}

}  // namespace
}  // namespace dpsql
