#include "privacy/accountant.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

constexpr Accountant kAll[] = {Accountant::kGdp, Accountant::kRdp, Accountant::kBasic};

Budget BudgetUnder(Accountant accountant) {
  return {.total = {.epsilon = 1, .delta = 1e-6}, .accountant = accountant};
}

TEST(AccountantTest, NamesReadBackAndPldIsNoFilter) {
  for (const Accountant each : kAll) EXPECT_EQ(ParseAccountant(ToText(each)), each);
  EXPECT_EQ(ParseAccountant("pld"), std::nullopt);
  EXPECT_EQ(ParseAccountant(""), std::nullopt);
}

// What is charged is what the accountant's proof speaks of, and nothing of the other kind.
TEST(AccountantTest, ChargesTheMechanismOrTheClaimNeverTheBetter) {
  const Cost cost = {.by_mechanism = {.mu_squared = 7, .delta = 3, .epsilon = 0},
                     .by_claim = {.mu_squared = 0, .delta = 50, .epsilon = 40}};
  EXPECT_TRUE(ChargeOf(Accountant::kGdp, cost) == cost.by_mechanism);
  EXPECT_TRUE(ChargeOf(Accountant::kRdp, cost) == cost.by_mechanism);
  EXPECT_TRUE(ChargeOf(Accountant::kBasic, cost) == cost.by_claim);
}

// A purse that an accountant does not use admits nothing.
TEST(AccountantTest, UnusedPursesAreEmpty) {
  EXPECT_EQ(CapsOf(BudgetUnder(Accountant::kGdp)).epsilon, UInt128{0});
  EXPECT_EQ(CapsOf(BudgetUnder(Accountant::kRdp)).epsilon, UInt128{0});
  EXPECT_EQ(CapsOf(BudgetUnder(Accountant::kBasic)).mu_squared, UInt128{0});
  for (const Accountant each : {Accountant::kRdp, Accountant::kBasic}) {
    Budget budget = BudgetUnder(each);
    budget.pure_epsilon = 0.5;
    EXPECT_THROW(CapsOf(budget), Bug);
  }
}

TEST(AccountantTest, WhatIsSpentAndWhatIsLeftMeetTheBudget) {
  for (const Accountant each : kAll) {
    const Budget budget = BudgetUnder(each);
    const Purses caps = CapsOf(budget);
    EXPECT_EQ(WorthSpent(budget, {}).epsilon, 0) << ToText(each);
    EXPECT_EQ(WorthLeft(budget, caps, caps).epsilon, 0) << ToText(each);
    EXPECT_LE(WorthLeft(budget, caps, {}).epsilon, 1) << ToText(each);
    EXPECT_GT(WorthLeft(budget, caps, {}).epsilon, 1 - 1e-6) << ToText(each);
    EXPECT_GT(WorthSpent(budget, caps).epsilon, 1 - 1e-6) << ToText(each);
    EXPECT_LT(WorthSpent(budget, caps).epsilon, 1 + 1e-6) << ToText(each);
    EXPECT_LE(WorthLeft(budget, caps, {}).delta, 1e-6) << ToText(each);
  }
}

TEST(AccountantTest, ManyQuestionsAreCheapestUnderGdp) {
  const auto count = [](Accountant accountant) {
    const Purses price = ScalarPrice(accountant, {.epsilon = 0.1, .delta = 1e-8});
    return TimesLeft(CapsOf(BudgetUnder(accountant)), {}, price);
  };
  EXPECT_EQ(count(Accountant::kBasic), 9);
  EXPECT_GT(count(Accountant::kRdp), 90);
  EXPECT_GT(count(Accountant::kGdp), count(Accountant::kRdp));
}

}  // namespace
}  // namespace dpsql
