#include "privacy/gdp_filter.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

double Below(double value) { return std::nextafter(value, 0); }
double Above(double value) { return std::nextafter(value, HUGE_VAL); }

void CheckShare(const Budget& budget) {
  Check(budget.threshold_share > 0 && budget.threshold_share < 1, "the share w is in (0, 1)");
}

}  // namespace

double GaussianShare(const Budget& budget) {
  CheckShare(budget);
  return Below(Below(1 - budget.threshold_share) * budget.total.delta);
}

double ThresholdShare(const Budget& budget) {
  CheckShare(budget);
  return Below(budget.threshold_share * budget.total.delta);
}

Purses GdpCaps(const Budget& budget) {
  const double pure = budget.pure_epsilon;
  Check(pure >= 0 && pure <= budget.total.epsilon, "the pure purse is a part of epsilon");
  const double rest = pure == 0 ? budget.total.epsilon : Below(budget.total.epsilon - pure);
  const double mu = GaussianMu({std::fmax(rest, 0), GaussianShare(budget)});
  return {.mu_squared = MuSquaredDown(Below(mu * mu)),
          .delta = DeltaInfinityDown(ThresholdShare(budget)),
          .epsilon = MuSquaredDown(pure)};
}

double GdpEpsilonLeft(const Budget& budget, const Purses& caps, const Purses& spent) {
  const double left = MuSquaredToDoubleDown(LeftOf(caps, spent).mu_squared);
  // GaussianEpsilon rounds up by less than a factor 1e-9 in delta is worth, so asking it for that
  // much more delta rounds down.
  const double delta = std::min(GaussianShare(budget) * (1 + 1e-9), Below(1));
  return GaussianEpsilon(delta, Below(std::sqrt(left)));
}

double GdpEpsilonSpent(const Budget& budget, const Purses& spent) {
  const double mu = Above(std::sqrt(MuSquaredToDoubleUp(spent.mu_squared)));
  const double gaussian = spent.mu_squared == 0 ? 0 : GaussianEpsilon(GaussianShare(budget), mu);
  const double pure = MuSquaredToDoubleUp(spent.epsilon);
  return pure == 0 ? gaussian : Above(gaussian + pure);
}

}  // namespace dpsql
