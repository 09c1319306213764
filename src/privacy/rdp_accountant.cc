#include "privacy/rdp_accountant.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "privacy/fixed_point.h"
#include "privacy/gdp_filter.h"
#include "privacy/monotone_edge.h"

namespace dpsql {
namespace {

double Below(double value) { return std::nextafter(value, 0); }
double Above(double value) { return std::nextafter(value, HUGE_VAL); }

// x = alpha - 1 at which the exponent is least: the derivative (2x+1) rho - epsilon - ln(1+1/x)
// rises from -infinity to infinity. Any x is sound; the best one is tight.
double BestOrder(double epsilon, double rho) {
  const auto slope = [&](double x) { return (2 * x + 1) * rho - epsilon - std::log1p(1 / x); };
  double low = 1;
  double high = 1;
  while (slope(low) > 0) low /= 4;
  while (slope(high) < 0) high *= 4;
  for (int i = 0; i < 60 && high - low > 0x1p-40 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(middle) > 0 ? high : low) = middle;
  }
  return high;
}

// Where the search starts: epsilon = rho + 2 sqrt(rho ln(1/delta)) is the loose conversion.
double LooseRho(double epsilon, double log_inverse_delta) {
  const double root =
      epsilon / (std::sqrt(epsilon + log_inverse_delta) + std::sqrt(log_inverse_delta));
  return root * root;
}

}  // namespace

double LogZcdpDelta(double epsilon, double rho) {
  Check(std::isfinite(epsilon) && epsilon >= 0, "epsilon is not negative");
  Check(std::isfinite(rho) && rho >= 0, "rho is not negative");
  if (rho < 0x1p-900) rho = rho == 0 ? 0 : 0x1p-900;
  if (rho == 0) return -HUGE_VAL;
  const double x = BestOrder(epsilon, rho);
  const double up = x * ((x + 1) * rho);
  const double down = x * epsilon;
  const double entropy = (x + 1) * std::log1p(1 / x);
  const double order = std::log(x);
  // Each term is within three units in the last place, and the sums within one each.
  const double error = 0x1p-50 * (up + down + entropy + std::fabs(order));
  return std::fmin(0, up - down - entropy - order + error);
}

double ZcdpRho(EpsilonDelta target) {
  Check(std::isfinite(target.epsilon) && target.epsilon >= 0, "epsilon is not negative");
  Check(target.delta > 0 && target.delta < 1, "delta lies between 0 and 1");
  const double goal = std::log(target.delta) - kLogDeltaError;
  const auto excess = [&](double rho) { return LogZcdpDelta(target.epsilon, rho) - goal; };
  double inside = std::fmax(LooseRho(target.epsilon, -std::log(target.delta)),
                            target.delta * target.delta * 0.5);
  inside = std::fmax(inside, 0x1p-900);
  while (inside > 0x1p-900 && excess(inside) > 0) inside /= 2;
  if (excess(inside) > 0) return 0;
  double outside = 1.25 * inside;
  while (excess(outside) <= 0) {
    inside = outside;
    outside *= 1.25;
  }
  return MonotoneEdge(excess, inside, outside);
}

double ZcdpEpsilon(double delta, double rho) {
  Check(delta > 0 && delta < 1, "delta lies between 0 and 1");
  const double goal = std::log(delta) - kLogDeltaError;
  const auto excess = [&](double epsilon) { return LogZcdpDelta(epsilon, rho) - goal; };
  if (excess(0) <= 0) return 0;
  double inside = 1.001 * (rho + 2 * std::sqrt(rho * -std::log(delta)));
  while (excess(inside) > 0) inside *= 2;
  return MonotoneEdge(excess, inside, 0);
}

Purses RdpCaps(const Budget& budget) {
  const double rho = ZcdpRho({budget.total.epsilon, GaussianShare(budget)});
  return {.mu_squared = MuSquaredDown(2 * rho),
          .delta = DeltaInfinityDown(ThresholdShare(budget)),
          .epsilon = 0};
}

Purses RdpBlackBox(EpsilonDelta query) {
  Check(std::isfinite(query.epsilon) && query.epsilon >= 0, "epsilon is not negative");
  const double epsilon = std::fmin(query.epsilon, 0x1p100);  // far above the top
  const double mu_squared = epsilon == 0 ? 0 : Above(epsilon * epsilon);
  return {
      .mu_squared = MuSquaredUp(mu_squared), .delta = DeltaInfinityUp(query.delta), .epsilon = 0};
}

double RdpEpsilonSpent(const Budget& budget, const Purses& spent) {
  return ZcdpEpsilon(GaussianShare(budget), 0.5 * MuSquaredToDoubleUp(spent.mu_squared));
}

double RdpEpsilonLeft(const Budget& budget, const Purses& caps, const Purses& spent) {
  const double left = 0.5 * MuSquaredToDoubleDown(LeftOf(caps, spent).mu_squared);
  // ZcdpEpsilon rounds up by less than a factor 1e-9 in delta is worth, so asking it for that much
  // more delta rounds down.
  const double delta = std::min(GaussianShare(budget) * (1 + 1e-9), Below(1));
  return ZcdpEpsilon(delta, left);
}

}  // namespace dpsql
