#include "privacy/basic_accountant.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

UInt128 Left(UInt128 cap, UInt128 spent) { return spent < cap ? cap - spent : 0; }

bool Fits(UInt128 cap, UInt128 spent, UInt128 charge) {
  return spent <= cap && charge <= cap - spent;
}

std::int64_t TimesLeft(UInt128 left, UInt128 charge) {
  if (charge == 0) return kUnlimited;
  const UInt128 times = left / charge;
  return times > static_cast<UInt128>(kUnlimited) ? kUnlimited : static_cast<std::int64_t>(times);
}

}  // namespace

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
