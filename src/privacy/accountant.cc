#include "privacy/accountant.h"

#include "base/check.h"
#include "privacy/basic_accountant.h"
#include "privacy/fixed_point.h"
#include "privacy/gdp_filter.h"
#include "privacy/rdp_accountant.h"

namespace dpsql {

std::string_view ToText(Accountant accountant) {
  switch (accountant) {
    case Accountant::kGdp:
      return "gdp";
    case Accountant::kRdp:
      return "rdp";
    case Accountant::kBasic:
      return "basic";
  }
  throw Bug("an accountant has a name");
}

std::optional<Accountant> ParseAccountant(std::string_view text) {
  for (const Accountant each : {Accountant::kGdp, Accountant::kRdp, Accountant::kBasic}) {
    if (text == ToText(each)) return each;
  }
  return std::nullopt;
}

Purses CapsOf(const Budget& budget) {
  Check(budget.total.delta > 0, "a budget has a delta");
  if (budget.accountant == Accountant::kGdp) return GdpCaps(budget);
  Check(budget.pure_epsilon == 0, "only gdp has a pure purse");
  return budget.accountant == Accountant::kRdp ? RdpCaps(budget) : BasicCaps(budget.total);
}

Purses ChargeOf(Accountant accountant, const Cost& cost) {
  return accountant == Accountant::kBasic ? cost.by_claim : cost.by_mechanism;
}

Purses ScalarPrice(Accountant accountant, EpsilonDelta query) {
  if (accountant == Accountant::kBasic) return BasicCharge(query);
  const double mu = GaussianMu(query);
  return {.mu_squared = MuSquaredUp(mu * mu), .delta = 0, .epsilon = 0};
}

EpsilonDelta WorthSpent(const Budget& budget, const Purses& spent) {
  if (budget.accountant == Accountant::kBasic) return BasicSpent(spent);
  const bool gdp = budget.accountant == Accountant::kGdp;
  return {.epsilon = gdp ? GdpEpsilonSpent(budget, spent) : RdpEpsilonSpent(budget, spent),
          .delta = DeltaInfinityToDoubleUp(spent.delta)};
}

EpsilonDelta WorthLeft(const Budget& budget, const Purses& caps, const Purses& spent) {
  if (budget.accountant == Accountant::kBasic) return BasicLeft(caps, spent);
  const bool gdp = budget.accountant == Accountant::kGdp;
  return {
      .epsilon = gdp ? GdpEpsilonLeft(budget, caps, spent) : RdpEpsilonLeft(budget, caps, spent),
      .delta = DeltaInfinityToDoubleDown(LeftOf(caps, spent).delta)};
}

}  // namespace dpsql
