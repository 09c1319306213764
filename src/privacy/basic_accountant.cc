#include "privacy/basic_accountant.h"

#include <algorithm>

#include "base/check.h"
#include "privacy/capacity.h"
#include "privacy/fixed_point.h"

namespace dpsql {

// Epsilon has the fixed point of mu^2 (2^-96), delta that of delta_infinity (2^-120).
BasicState BasicCaps(EpsilonDelta total) {
  Check(total.delta < 1, "delta is below 1");
  return {.epsilon = MuSquaredDown(total.epsilon), .delta = DeltaInfinityDown(total.delta)};
}

BasicState BasicCharge(EpsilonDelta query) {
  return {.epsilon = MuSquaredUp(query.epsilon), .delta = DeltaInfinityUp(query.delta)};
}

bool BasicAdmits(const BasicState& caps, const BasicState& spent, const BasicState& charge) {
  return Fits(caps.epsilon, spent.epsilon, charge.epsilon) &&
         Fits(caps.delta, spent.delta, charge.delta);
}

BasicState BasicAfter(const BasicState& spent, const BasicState& charge) {
  return {.epsilon = SumOfCharges(spent.epsilon, charge.epsilon),
          .delta = SumOfCharges(spent.delta, charge.delta)};
}

std::int64_t BasicQueriesLeft(const BasicState& caps, const BasicState& spent,
                              const BasicState& charge) {
  if (!BasicAdmits(caps, spent, charge)) return 0;
  return std::min(TimesLeft(Left(caps.epsilon, spent.epsilon), charge.epsilon),
                  TimesLeft(Left(caps.delta, spent.delta), charge.delta));
}

EpsilonDelta BasicSpent(const BasicState& spent) {
  return {.epsilon = MuSquaredToDoubleUp(spent.epsilon),
          .delta = DeltaInfinityToDoubleUp(spent.delta)};
}

EpsilonDelta BasicLeft(const BasicState& caps, const BasicState& spent) {
  return {.epsilon = MuSquaredToDoubleDown(Left(caps.epsilon, spent.epsilon)),
          .delta = DeltaInfinityToDoubleDown(Left(caps.delta, spent.delta))};
}

}  // namespace dpsql
