#include "privacy/gaussian.h"

#include <array>
#include <cmath>

#include "base/check.h"
#include "privacy/monotone_edge.h"
#include "privacy/normal.h"

namespace dpsql {
namespace {

constexpr double kSqrtTwoPi = 2.50662827463100050242;

struct Node {
  double place;
  double weight;
};

// Gauss-Legendre on [-1, 1] with eight points, the positive half; the weights sum to 1/2 here.
constexpr std::array<Node, 4> kGaussLegendre = {
    Node{0.18343464249564980494, 0.18134189168918099148},
    Node{0.52553240991632898582, 0.15685332293894364367},
    Node{0.79666647741362673959, 0.11119051722668723527},
    Node{0.96028985649753623168, 0.05061426814518812957}};

// R(a) - R(b) for b - a = mu, as the integral of -R' around the centre. The width is mu itself and
// not the difference of two rounded ends, and no subtraction cancels.
double MillsDrop(double center, double mu) {
  double mean = 0;
  for (const auto& [place, weight] : kGaussLegendre) {
    const double offset = 0.5 * mu * place;
    mean += weight * (MillsDescent(center - offset) + MillsDescent(center + offset));
  }
  return mu * mean;
}

}  // namespace

double LogGaussianDelta(double epsilon, double mu) {
  Check(std::isfinite(epsilon) && std::isfinite(mu) && mu >= 0, "epsilon and mu are numbers");
  if (epsilon < 0) {
    // Phi(-x) = 1 - Phi(x) turns the curve around; the direct form would be 0 times infinity.
    const double mirrored = std::exp(epsilon + LogGaussianDelta(-epsilon, mu));
    return std::fmin(0, std::log(-std::expm1(epsilon) + mirrored));
  }
  if (mu == 0) return -HUGE_VAL;
  const double center = epsilon / mu;
  // Where mu is huge, a is the small difference of two large numbers: what the quotient was rounded
  // by, which fma knows exactly, is no longer small against it.
  const double rounded_off = std::fma(-center, mu, epsilon) / mu;
  const double a = center - 0.5 * mu + rounded_off;
  const double b = center + 0.5 * mu;
  // With the densities phi(a) = e^epsilon phi(b), delta = phi(a) (R(a) - R(b)).
  if (mu <= std::fmax(1, center / 8)) return LogNormalDensity(a) + std::log(MillsDrop(center, mu));
  if (a >= 0) return LogNormalDensity(a) + std::log(MillsRatio(a) - MillsRatio(b));
  return std::log(UpperTail(a) - std::exp(LogNormalDensity(a)) * MillsRatio(b));
}

double GaussianDelta(double epsilon, double mu) { return std::exp(LogGaussianDelta(epsilon, mu)); }

double GaussianMu(EpsilonDelta target) {
  const double epsilon = target.epsilon;
  const double delta = target.delta;
  Check(std::isfinite(epsilon) && epsilon >= 0, "epsilon is not negative");
  Check(delta > 0 && delta < 1, "delta lies between 0 and 1");
  const double goal = std::log(delta) - 2 * kLogDeltaError;
  const auto excess = [&](double mu) { return LogGaussianDelta(epsilon, mu) - goal; };
  // Two lower bounds of the answer: delta_G < Q(epsilon/mu - mu/2), and delta_G <= mu/sqrt(2 pi).
  const double z = UpperQuantile(delta);
  const double root = std::sqrt(z * z + 2 * epsilon);
  const double tail_bound = z > 0 ? 2 * epsilon / (z + root) : root - z;
  double inside = 0.999 * std::fmax(tail_bound, kSqrtTwoPi * delta);
  while (excess(inside) > 0) inside /= 2;
  double outside = 1.25 * inside;
  while (excess(outside) <= 0) {
    inside = outside;
    outside *= 1.25;
  }
  return MonotoneEdge(excess, inside, outside);
}

double GaussianEpsilon(double delta, double mu) {
  Check(delta > 0 && delta < 1, "delta lies between 0 and 1");
  const double goal = std::log(delta) - 2 * kLogDeltaError;
  const auto excess = [&](double epsilon) { return LogGaussianDelta(epsilon, mu) - goal; };
  if (excess(0) <= 0) return 0;
  // delta_G < Q(epsilon/mu - mu/2) gives an epsilon that is enough.
  double inside = std::fmax(mu * (UpperQuantile(delta) + 0.5 * mu), mu * kLogDeltaError);
  while (excess(inside) > 0) inside *= 2;
  return MonotoneEdge(excess, inside, 0);
}

}  // namespace dpsql
