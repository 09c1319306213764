#include "privacy/basic_accountant.h"

#include "base/check.h"
#include "privacy/fixed_point.h"

namespace dpsql {

Purses BasicCaps(EpsilonDelta total) {
  Check(total.delta < 1, "delta is below 1");
  return {.mu_squared = 0,
          .delta = DeltaInfinityDown(total.delta),
          .epsilon = MuSquaredDown(total.epsilon)};
}

Purses BasicCharge(EpsilonDelta query) {
  return {.mu_squared = 0,
          .delta = DeltaInfinityUp(query.delta),
          .epsilon = MuSquaredUp(query.epsilon)};
}

EpsilonDelta BasicSpent(const Purses& spent) {
  return {.epsilon = MuSquaredToDoubleUp(spent.epsilon),
          .delta = DeltaInfinityToDoubleUp(spent.delta)};
}

EpsilonDelta BasicLeft(const Purses& caps, const Purses& spent) {
  const Purses left = LeftOf(caps, spent);
  return {.epsilon = MuSquaredToDoubleDown(left.epsilon),
          .delta = DeltaInfinityToDoubleDown(left.delta)};
}

}  // namespace dpsql
