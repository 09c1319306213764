#include "privacy/fixed_point.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "base/check.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};

TEST(FixedPointTest, SigmaIsRoundedUpAndClose) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution exponent(-60.0, 58.9);
  for (int i = 0; i < 10000; ++i) {
    const double sigma = std::exp2(exponent(random));
    const GridSigma grid = RoundSigmaUp(sigma);
    ASSERT_GE(grid.value(), sigma);
    ASSERT_LE(grid.value(), sigma * (1 + 0x1p-30));
    ASSERT_LT(grid.numerator, std::uint64_t{1} << 60);
    ASSERT_GE(grid.bits, sigma < 0x1p50 ? 8u : 0u);
  }
}

TEST(FixedPointTest, SigmaAtTheEdges) {
  EXPECT_EQ(RoundSigmaUp(5).value(), 5);
  EXPECT_EQ(RoundSigmaUp(0x1p59).value(), 0x1p59);
  EXPECT_EQ(RoundSigmaUp(5e-324).value(), 5e-324);
  EXPECT_THROW(RoundSigmaUp(0), Bug);
  EXPECT_THROW(RoundSigmaUp(0x1p60), Bug);
  EXPECT_THROW(RoundSigmaUp(std::nan("")), Bug);
}

TEST(FixedPointTest, ChargeIsTheLeastIntegerNotBelow) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10000; ++i) {
    const UInt128 wide = (static_cast<UInt128>(random()) << 64) | random();
    const UInt128 sensitivity = wide >> (random() % 128);
    const GridSigma sigma = {.numerator = ((random() >> 4) >> (random() % 60)) + 1,
                             .bits = static_cast<unsigned>(random() % 70)};
    const cpp_int units(MuSquaredCharge(sensitivity, sigma));
    if (units == cpp_int(kTop)) continue;
    const cpp_int variance = cpp_int(sigma.numerator) * sigma.numerator;
    const cpp_int exact = cpp_int(sensitivity) << (2 * sigma.bits + 96);
    ASSERT_GE(units * variance, exact);
    ASSERT_LT((units - 1) * variance, exact);
  }
}

TEST(FixedPointTest, ChargeAtTheEdges) {
  EXPECT_TRUE(MuSquaredCharge(1, {.numerator = 1, .bits = 0}) == UInt128{1} << 96);
  EXPECT_TRUE(MuSquaredCharge(0, {.numerator = 7, .bits = 3}) == 0);
  EXPECT_TRUE(MuSquaredCharge(1, {.numerator = 1, .bits = 1074}) == kTop);
  EXPECT_TRUE(MuSquaredCharge(kTop, {.numerator = 1, .bits = 0}) == kTop);
  EXPECT_TRUE(MuSquaredCharge(1, {.numerator = (std::uint64_t{1} << 60) - 1, .bits = 0}) == 1);
  EXPECT_THROW(MuSquaredCharge(1, {}), Bug);
}

TEST(FixedPointTest, SumOfChargesNeverWraps) {
  EXPECT_TRUE(SumOfCharges(3, 4) == 7);
  EXPECT_TRUE(SumOfCharges(kTop, 1) == kTop);
  EXPECT_TRUE(SumOfCharges(1, kTop) == kTop);
  EXPECT_TRUE(SumOfCharges(kTop - 5, 5) == kTop);
  EXPECT_TRUE(SumOfCharges(kTop - 5, 4) == kTop - 1);
}

TEST(FixedPointTest, DoublesAreRoundedAsNamed) {
  const double tiny = 0x1.8p-97;
  EXPECT_TRUE(MuSquaredUp(tiny) == 1);
  EXPECT_TRUE(MuSquaredDown(tiny) == 0);
  EXPECT_TRUE(DeltaInfinityUp(0x1.4p-119) == 3);
  EXPECT_TRUE(DeltaInfinityDown(0x1.4p-119) == 2);
  EXPECT_TRUE(MuSquaredUp(5e-324) == 1);
  EXPECT_TRUE(MuSquaredUp(0) == 0);
  EXPECT_TRUE(MuSquaredUp(3) == UInt128{3} << 96);
  EXPECT_TRUE(DeltaInfinityDown(1) == UInt128{1} << 120);
  EXPECT_TRUE(MuSquaredUp(0x1p32) == kTop);
  EXPECT_TRUE(MuSquaredDown(1e300) == kTop);
  EXPECT_THROW(MuSquaredUp(-1), Bug);
  EXPECT_THROW(DeltaInfinityDown(std::nan("")), Bug);
}

TEST(FixedPointTest, BackToDoublesIsRoundedAsNamed) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 10000; ++i) {
    const UInt128 bits = (static_cast<UInt128>(random()) << 64) | random();
    const UInt128 units = bits >> (random() % 128);
    const double down = MuSquaredToDoubleDown(units);
    const double up = MuSquaredToDoubleUp(units);
    ASSERT_TRUE(MuSquaredUp(down) <= units);
    ASSERT_TRUE(MuSquaredDown(up) >= units);
    ASSERT_TRUE(down == up || std::nextafter(down, 1e300) == up);
    ASSERT_EQ(DeltaInfinityToDoubleDown(units), std::ldexp(down, -24));
    ASSERT_EQ(DeltaInfinityToDoubleUp(units), std::ldexp(up, -24));
  }
  EXPECT_EQ(MuSquaredToDoubleUp(kTop), 0x1p32);
  EXPECT_EQ(MuSquaredToDoubleDown(0), 0);
}

}  // namespace
}  // namespace dpsql
