#include "privacy/gdp_filter.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "privacy/capacity.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

double Below(double value) { return std::nextafter(value, 0); }
double Above(double value) { return std::nextafter(value, HUGE_VAL); }

}  // namespace

double GaussianShare(const GdpBudget& budget) {
  Check(budget.threshold_share > 0 && budget.threshold_share < 1, "the share w is in (0, 1)");
  return Below(Below(1 - budget.threshold_share) * budget.total.delta);
}

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
