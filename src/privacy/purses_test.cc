#include "privacy/purses.h"

#include <gtest/gtest.h>

#include <limits>

namespace dpsql {
namespace {

Purses Charge(UInt128 mu_squared, UInt128 delta, UInt128 epsilon = 0) {
  return {.mu_squared = mu_squared, .delta = delta, .epsilon = epsilon};
}

TEST(PursesTest, AdmitsUpToTheCapAndNotBeyond) {
  const Purses caps = {.mu_squared = 100, .delta = 50, .epsilon = 20};
  EXPECT_TRUE(Fits(caps, {}, Charge(100, 50)));
  EXPECT_FALSE(Fits(caps, {}, Charge(101, 50)));
  EXPECT_FALSE(Fits(caps, {}, Charge(100, 51)));
  EXPECT_TRUE(Fits(caps, {60, 0, 0}, Charge(40, 0)));
  EXPECT_FALSE(Fits(caps, {61, 0, 0}, Charge(40, 0)));
  EXPECT_TRUE(Fits(caps, {100, 50, 20}, Charge(0, 0)));
  EXPECT_TRUE(Fits(caps, {}, Charge(0, 0, 20)));
  EXPECT_FALSE(Fits(caps, {}, Charge(0, 0, 21)));
  EXPECT_FALSE(Fits(caps, {0, 0, 15}, Charge(1, 1, 6)));
}

TEST(PursesTest, SumsThatWouldWrapAreRefused) {
  const UInt128 top = ~UInt128{0};
  const Purses caps = {.mu_squared = 100, .delta = 100, .epsilon = 100};
  EXPECT_FALSE(Fits(caps, {50, 0, 0}, Charge(top - 40, 0)));
  EXPECT_FALSE(Fits(caps, {top, 0, 0}, Charge(1, 0)));
  EXPECT_FALSE(Fits({top, top, top}, {}, Charge(top, 0))) << "it may stand for more";
  EXPECT_FALSE(Fits(caps, {0, 101, 0}, Charge(0, 0)));
  EXPECT_EQ(TimesLeft(caps, {0, 101, 0}, Charge(1, 0)), 0);
}

TEST(PursesTest, QueriesLeftIsTheScarcerPurse) {
  const Purses caps = {.mu_squared = 100, .delta = 50, .epsilon = 20};
  EXPECT_EQ(TimesLeft(caps, {}, Charge(7, 1)), 14);
  EXPECT_EQ(TimesLeft(caps, {}, Charge(7, 10)), 5);
  EXPECT_EQ(TimesLeft(caps, {}, Charge(0, 10)), 5);
  EXPECT_EQ(TimesLeft(caps, {}, Charge(7, 10, 5)), 4);
  const std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(TimesLeft(caps, {}, Charge(0, 0)), unlimited);
  EXPECT_EQ(TimesLeft({~UInt128{0}, 50, 0}, {}, Charge(1, 0)), unlimited);
}

TEST(PursesTest, SumsSaturateAndWhatIsOverdrawnIsNothing) {
  const UInt128 top = ~UInt128{0};
  EXPECT_TRUE(SumOf({1, 2, 3}, {10, 20, 30}) == (Purses{11, 22, 33}));
  EXPECT_TRUE(SumOf({top, top - 1, 5}, {1, 2, top}) == (Purses{top, top, top}));
  EXPECT_TRUE(LeftOf({10, 20, 30}, {1, 21, 30}) == (Purses{9, 0, 0}));
}

}  // namespace
}  // namespace dpsql
