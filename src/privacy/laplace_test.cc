#include "privacy/laplace.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_rational;

constexpr UInt128 kOneUnit = UInt128{1} << 96;

TEST(LaplaceTest, RateIsNeverAboveEpsilonAndClose) {
  for (const double epsilon : {1e-9, 0.1, 1.0, 10.0, 0.3333333333333333, 700.0}) {
    for (const std::uint64_t l1 :
         {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{65536}, (std::uint64_t{1} << 31) - 1}) {
      const LaplaceRate rate = RoundRateDown(epsilon, l1);
      const cpp_rational real = cpp_rational(rate.numerator, rate.denominator) * l1;
      EXPECT_LE(real, cpp_rational(epsilon)) << epsilon << " " << l1;
      EXPECT_GE(real, cpp_rational(epsilon * (1 - 0x1p-39))) << epsilon << " " << l1;
    }
  }
}

TEST(LaplaceTest, RatesAtTheEndsOfTheRange) {
  const std::uint64_t most = std::uint64_t{1} << 62;
  EXPECT_EQ(RoundRateDown(1, most).numerator, 1u);
  EXPECT_EQ(RoundRateDown(1, most).denominator, most);
  EXPECT_EQ(RoundRateDown(0x1p-62, 1).denominator, most);
  // More epsilon than the parts of a rate can say is rounded down to what they can.
  const LaplaceRate steep = RoundRateDown(1e300, 1);
  EXPECT_EQ(steep.numerator, most);
  EXPECT_EQ(steep.denominator, 1u);
  EXPECT_THROW(RoundRateDown(1, UInt128{most} + 1), Bug);
  EXPECT_THROW(RoundRateDown(std::numeric_limits<double>::denorm_min(), 1), Bug);
  EXPECT_THROW(RoundRateDown(0, 1), Bug);
  EXPECT_THROW(RoundRateDown(HUGE_VAL, 1), Bug);
  EXPECT_THROW(RoundRateDown(1, 0), Bug);
}

TEST(LaplaceTest, ChargeIsRoundedUp) {
  EXPECT_TRUE(EpsilonCharge(1, {1, 1}) == kOneUnit);
  EXPECT_TRUE(EpsilonCharge(10, {1, 100}) == kOneUnit / 10 + 1);
  EXPECT_TRUE(EpsilonCharge(~UInt128{0}, {1, 1}) == ~UInt128{0});
  EXPECT_TRUE(EpsilonCharge(0, {1, 1}) == 0);
  EXPECT_THROW(EpsilonCharge(1, {0, 1}), Bug);
  EXPECT_THROW(EpsilonCharge(1, {1, 0}), Bug);
}

// The law itself, summed term by term.
struct SlowLaw {
  explicit SlowLaw(LaplaceRate rate) : ratio(std::exp(-rate.value())) {}
  double Probability(int x) const { return (1 - ratio) / (1 + ratio) * std::pow(ratio, x); }
  double ratio;
};

TEST(LaplaceTest, MomentsAreThoseOfTheLaw) {
  for (const LaplaceRate rate : {LaplaceRate{1, 10}, LaplaceRate{1, 1}, LaplaceRate{5, 2}}) {
    const SlowLaw law(rate);
    double total = law.Probability(0);
    double absolute = 0;
    double square = 0;
    for (int x = 1; x < 1000; ++x) {
      total += 2 * law.Probability(x);
      absolute += 2 * x * law.Probability(x);
      square += 2.0 * x * x * law.Probability(x);
    }
    EXPECT_NEAR(total, 1, 1e-13);
    EXPECT_NEAR(LaplaceMeanAbsolute(rate) / absolute, 1, 1e-12);
    EXPECT_NEAR(LaplaceVariance(rate) / square, 1, 1e-12);
  }
}

TEST(LaplaceTest, HalfWidthIsTheLeastThatHoldsTheLevel) {
  for (const LaplaceRate rate : {LaplaceRate{1, 10}, LaplaceRate{1, 1}, LaplaceRate{5, 2}}) {
    const SlowLaw law(rate);
    for (const double level : {0.001, 0.5, 0.9, 0.95, 0.99, 0.999999}) {
      int t = 0;
      double held = law.Probability(0);
      while (held < level) held += 2 * law.Probability(++t);
      EXPECT_EQ(static_cast<int>(LaplaceHalfWidth(rate, level)), t) << level;
    }
  }
  // Steep enough that the noise is 0.
  EXPECT_TRUE(LaplaceHalfWidth({1000, 1}, 0.999) == 0);
  EXPECT_THROW(LaplaceHalfWidth({1, 1}, 1), Bug);
}

// (0.1, 1e-7) at sensitivity 1: the mean error is 10, where the Gaussian mechanism has 33.
TEST(LaplaceTest, MatchesTheHandbookFigure) {
  EXPECT_NEAR(LaplaceMeanAbsolute(RoundRateDown(0.1, 1)), 9.983353, 1e-6);
}

}  // namespace
}  // namespace dpsql
