#include "account/account.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/error_codes.h"

namespace dpsql {
namespace {

std::string ShortText(EpsilonDelta value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "epsilon %.4g, delta %.4g", value.epsilon, value.delta);
  return text.data();
}

}  // namespace

Status CheckFits(const Account& account, const Cost& cost) {
  const Purses charge = ChargeOf(account.budget.accountant, cost);
  if (Fits(account.caps, account.spent, charge)) return Done{};
  if (!Fits(account.caps, {}, charge)) {
    return MakeError(ErrorCode::kUnaffordable,
                     "this query costs more than the whole budget of " + account.name +
                         ": it asks " + ShortText(cost.asked) + "; the budget is " +
                         ShortText(account.budget.total),
                     {}, "ask with a smaller epsilon or delta");
  }
  return MakeError(ErrorCode::kBudgetExhausted,
                   "this query does not fit what is left of the budget of " + account.name +
                       ": it asks " + ShortText(cost.asked) + "; left are " +
                       ShortText(WorthLeft(account.budget, account.caps, account.spent)));
}

Remaining RemainingOf(const Account& account, const Cost& cost) {
  const EpsilonDelta left = WorthLeft(account.budget, account.caps, account.spent);
  const Purses charge = ChargeOf(account.budget.accountant, cost);
  return {.epsilon = left.epsilon,
          .delta = left.delta,
          .queries_like_this = TimesLeft(account.caps, account.spent, charge)};
}

Remaining LesserOf(const Remaining& a, const Remaining& b) {
  return {.epsilon = std::min(a.epsilon, b.epsilon),
          .delta = std::min(a.delta, b.delta),
          .queries_like_this = std::min(a.queries_like_this, b.queries_like_this)};
}

}  // namespace dpsql
