#include "privacy/basic_accountant.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.h"

namespace dpsql {
namespace {

TEST(BasicAccountantTest, TwoBlackBoxQueriesFitEitherBudget) {
  const Purses charge = BasicCharge({0.1, 1e-7});
  EXPECT_EQ(TimesLeft(BasicCaps({0.2, 1e-6}), {}, charge), 2);  // epsilon ends first
  EXPECT_EQ(TimesLeft(BasicCaps({1, 2e-7}), {}, charge), 2);    // delta ends first
}

TEST(BasicAccountantTest, SumsAreExactInFixedPoint) {
  const Purses charge = BasicCharge({0.1, 1e-7});
  Purses spent;
  for (int i = 0; i < 1000; ++i) spent = SumOf(spent, charge);
  EXPECT_EQ(spent.epsilon, charge.epsilon * 1000);
  EXPECT_EQ(spent.delta, charge.delta * 1000);
  EXPECT_GE(BasicSpent(spent).epsilon, 100);
  EXPECT_LT(BasicSpent(spent).epsilon, 100 * (1 + 1e-15));
}

// The double 0.1 is above one tenth, so ten of them are more than 1; the sum says so.
TEST(BasicAccountantTest, NeverRoundsInFavourOfTheAnalyst) {
  EXPECT_EQ(TimesLeft(BasicCaps({1, 1e-6}), {}, BasicCharge({0.1, 0})), 9);
  EXPECT_EQ(TimesLeft(BasicCaps({1, 1e-6}), {}, BasicCharge({0.125, 0})), 8);
}

TEST(BasicAccountantTest, AdmitsExactlyAsManyAsItAnnounces) {
  const Purses caps = BasicCaps({1, 1e-6});
  const Purses charge = BasicCharge({0.03, 1e-8});
  Purses spent;
  std::int64_t left = TimesLeft(caps, spent, charge);
  EXPECT_EQ(left, 33);
  for (; Fits(caps, spent, charge); --left) {
    EXPECT_EQ(TimesLeft(caps, spent, charge), left);
    const double before = BasicLeft(caps, spent).epsilon;
    spent = SumOf(spent, charge);
    EXPECT_LT(BasicLeft(caps, spent).epsilon, before);
  }
  EXPECT_EQ(left, 0);
  EXPECT_EQ(TimesLeft(caps, spent, charge), 0);
  EXPECT_LE(BasicSpent(spent).epsilon + BasicLeft(caps, spent).epsilon, 1 + 1e-15);
}

TEST(BasicAccountantTest, NothingWraps) {
  const Purses caps = BasicCaps({1, 1e-6});
  const Purses huge = BasicCharge({1e30, 1e30});
  EXPECT_FALSE(Fits(caps, {}, huge));
  EXPECT_FALSE(Fits(caps, SumOf(huge, huge), BasicCharge({0, 0})));
  EXPECT_EQ(BasicLeft(caps, huge).epsilon, 0);
  EXPECT_EQ(TimesLeft(caps, {}, BasicCharge({0, 0})), std::numeric_limits<std::int64_t>::max());
}

TEST(BasicAccountantTest, RefusesWhatIsNoBudget) {
  EXPECT_THROW(BasicCaps({-1, 1e-6}), Bug);
  EXPECT_THROW(BasicCaps({1, 1}), Bug);
  EXPECT_THROW(BasicCharge({std::nan(""), 0}), Bug);
  EXPECT_THROW(BasicCharge({1, -1e-9}), Bug);
}

}  // namespace
}  // namespace dpsql
