#include "privacy/normal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/check.h"
#include "support/slow_privacy.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

TEST(NormalTest, QuantileMatchesVectors) {
  for (const auto& row : TestVectors()["normal_isf"]) {
    const double z = NumberOf(row["z"]);
    EXPECT_NEAR(UpperQuantile(NumberOf(row["q"])), z, 1e-14 * (1 + z)) << row;
  }
}

TEST(NormalTest, QuantileInvertsTheTailDownToTheSmallestDoubles) {
  for (int exponent = 1; exponent <= 300; ++exponent) {
    const double q = std::pow(10.0, -exponent);
    EXPECT_NEAR(LogUpperTail(UpperQuantile(q)), std::log(q), 1e-12) << exponent;
  }
  EXPECT_NEAR(LogUpperTail(UpperQuantile(5e-324)), std::log(5e-324), 1e-12);
}

TEST(NormalTest, QuantileIsOdd) {
  EXPECT_EQ(UpperQuantile(0.5), 0);
  EXPECT_EQ(UpperQuantile(0.75), -UpperQuantile(0.25));
  EXPECT_NEAR(UpperQuantile(1 - 0x1p-53), -8.2095361516013856, 1e-13);
}

TEST(NormalTest, TailMatchesFiftyDigits) {
  for (double x = -9; x < 37; x += 0.173) {
    const double exact = SlowUpperTail(x);
    EXPECT_NEAR(UpperTail(x) / exact, 1, 1e-15 * (4 + x * x)) << x;
    EXPECT_NEAR(LogUpperTail(x), std::log(exact), 1e-15 * (4 + x * x)) << x;
  }
}

TEST(NormalTest, MillsRatioIsSmoothWhereItsFormsMeet) {
  const double below = std::nextafter(4, 0);
  EXPECT_NEAR(MillsRatio(below) / MillsRatio(4), 1, 1e-14);
  EXPECT_NEAR(MillsDescent(below) / MillsDescent(4), 1, 1e-13);
  EXPECT_NEAR(MillsRatio(0), std::sqrt(std::acos(-1.0) / 2), 1e-15);
}

TEST(NormalTest, LogTailReachesFarBeyondTheTail) {
  EXPECT_NEAR(LogUpperTail(1e4) / -5e7, 1, 1e-6);
  EXPECT_TRUE(std::isfinite(LogUpperTail(1e149)));
}

TEST(NormalTest, QuantileOfNoProbabilityIsABug) {
  EXPECT_THROW(UpperQuantile(0), Bug);
  EXPECT_THROW(UpperQuantile(1), Bug);
  EXPECT_THROW(UpperQuantile(std::nan("")), Bug);
}

}  // namespace
}  // namespace dpsql
