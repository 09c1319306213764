#include "privacy/mechanism_choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/check.h"
#include "support/slow_privacy.h"

namespace dpsql {
namespace {

double SlowMeanAbsolute(double sigma) {
  double sum = 0;
  for (int t = 1; t < 45 * sigma + 5; ++t) sum += 2 * SlowUpperTail((t - 0.5) / sigma);
  return sum;
}

TEST(MechanismChoiceTest, MeanAbsoluteOfRoundedNoise) {
  for (const double sigma : {0.1, 0.3, 1.0, 7.5, 15.99, 16.0, 20.0}) {
    EXPECT_NEAR(RoundedGaussianMeanAbsolute(sigma) / SlowMeanAbsolute(sigma), 1, 1e-9) << sigma;
  }
  // On a fine grid rounding is not seen: sigma sqrt(2/pi).
  EXPECT_NEAR(RoundedGaussianMeanAbsolute(1e9) / (1e9 * std::sqrt(2 / std::acos(-1.0))), 1, 1e-14);
  EXPECT_THROW(RoundedGaussianMeanAbsolute(0), Bug);
}

MechanismChoice Choose(EpsilonDelta asked, Sensitivity sensitivity, int vectors) {
  return ChooseMechanism({.asked = asked, .sensitivity = sensitivity, .vectors = vectors});
}

TEST(MechanismChoiceTest, OneQuestionIsBetterWithLaplace) {
  const MechanismChoice one = Choose({0.1, 1e-7}, OfL1Clip(65536), 1);
  EXPECT_EQ(one.better, Mechanism::kLaplace);
  EXPECT_NEAR(one.laplace_error / 65536, 10, 1e-6);
  EXPECT_NEAR(one.gaussian_error / 65536, 33, 0.1);
}

// n* = (0.8 epsilon / mu)^2 vectors: 11.4 of them at (1, 1e-6).
TEST(MechanismChoiceTest, ManyVectorsAreBetterWithGaussian) {
  EXPECT_EQ(Choose({1, 1e-6}, OfL1Clip(65536), 11).better, Mechanism::kLaplace);
  EXPECT_EQ(Choose({1, 1e-6}, OfL1Clip(65536), 12).better, Mechanism::kGaussian);
}

TEST(MechanismChoiceTest, ManyCoordinatesOfAUnitAreBetterWithGaussian) {
  EXPECT_EQ(Choose({1, 1e-6}, OfL2Clip(65536, 9), 1).better, Mechanism::kLaplace);
  EXPECT_EQ(Choose({1, 1e-6}, OfL2Clip(65536, 16), 1).better, Mechanism::kGaussian);
}

TEST(MechanismChoiceTest, WithoutDeltaThereIsOnlyLaplace) {
  const MechanismChoice pure = Choose({1, 0}, OfL2Clip(65536, 1000000), 50);
  EXPECT_EQ(pure.better, Mechanism::kLaplace);
  EXPECT_EQ(pure.gaussian_error, HUGE_VAL);
}

TEST(MechanismChoiceTest, NothingToChooseIsABug) {
  EXPECT_THROW(Choose({0, 1e-6}, OfL1Clip(1), 1), Bug);
  EXPECT_THROW(Choose({1, 1}, OfL1Clip(1), 1), Bug);
  EXPECT_THROW(Choose({1, 1e-6}, OfL1Clip(0), 1), Bug);
  EXPECT_THROW(Choose({1, 1e-6}, OfL1Clip(1), 0), Bug);
}

}  // namespace
}  // namespace dpsql
