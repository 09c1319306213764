#include "privacy/gdp_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

double Below(double value) { return std::nextafter(value, 0); }
double Above(double value) { return std::nextafter(value, HUGE_VAL); }

// The part of delta that the Gaussian steps may use, rounded down so that both parts sum to delta.
double GaussianShare(const GdpBudget& budget) {
  Check(budget.threshold_share > 0 && budget.threshold_share < 1, "the share w is in (0, 1)");
  return Below(Below(1 - budget.threshold_share) * budget.total.delta);
}

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

GdpState GdpCaps(const GdpBudget& budget) {
  const double mu = GaussianMu({budget.total.epsilon, GaussianShare(budget)});
  const double delta_infinity = Below(budget.threshold_share * budget.total.delta);
  return {.mu_squared = MuSquaredDown(Below(mu * mu)),
          .delta_infinity = DeltaInfinityDown(delta_infinity)};
}

bool GdpAdmits(const GdpState& caps, const GdpState& spent, const Cost& cost) {
  return Fits(caps.mu_squared, spent.mu_squared, cost.mu_squared) &&
         Fits(caps.delta_infinity, spent.delta_infinity, cost.delta_infinity);
}

std::int64_t GdpQueriesLeft(const GdpState& caps, const GdpState& spent, const Cost& cost) {
  if (!GdpAdmits(caps, spent, cost)) return 0;
  return std::min(TimesLeft(Left(caps.mu_squared, spent.mu_squared), cost.mu_squared),
                  TimesLeft(Left(caps.delta_infinity, spent.delta_infinity), cost.delta_infinity));
}

double GdpEpsilonLeft(const GdpBudget& budget, const GdpState& caps, const GdpState& spent) {
  const double left = MuSquaredToDoubleDown(Left(caps.mu_squared, spent.mu_squared));
  // GaussianEpsilon rounds up by less than a factor 1e-9 in delta is worth, so asking it for that
  // much more delta rounds down.
  const double delta = std::min(GaussianShare(budget) * (1 + 1e-9), Below(1));
  return GaussianEpsilon(delta, Below(std::sqrt(left)));
}

double GdpEpsilonSpent(const GdpBudget& budget, const GdpState& spent) {
  const double mu = Above(std::sqrt(MuSquaredToDoubleUp(spent.mu_squared)));
  return GaussianEpsilon(GaussianShare(budget), mu);
}

}  // namespace dpsql
