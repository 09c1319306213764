#include "privacy/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.h"
#include "privacy/normal.h"

namespace dpsql {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double VarianceOf(const NoisyVector& released, std::size_t i) {
  return released.sd[i] * released.sd[i] + released.grid_step * released.grid_step / 12;
}

// The ends of the middle `level` of `sorted`, where `undefined` more lie on both sides of all.
ErrorInterval Middle(const std::vector<double>& sorted, std::size_t undefined, double level) {
  const auto draws = static_cast<double>(sorted.size() + undefined);
  // The rank of either end, counted from its side. Rounded down: outward.
  const auto rank = static_cast<std::size_t>(std::floor((draws + 1) * (1 - level) / 2));
  Check(rank >= 1, "there are draws enough for the level");
  if (rank <= undefined) return {-kInfinity, kInfinity};
  const std::size_t skipped = rank - undefined - 1;
  return {sorted[skipped], sorted[sorted.size() - 1 - skipped]};
}

}  // namespace

double TwoSidedQuantile(double level, std::uint64_t together) {
  Check(level > 0 && level < 1 && together >= 1, "a level is between 0 and 1");
  return UpperQuantile((1 - level) / 2 / static_cast<double>(together));
}

ErrorInterval LinearInterval(const NoisyVector& released, std::span<const double> weights,
                             double z) {
  Check(released.value.size() == released.sd.size() && released.value.size() == weights.size(),
        "every number has its weight and its noise");
  Check(z >= 0, "a quantile of both sides is not negative");
  double value = 0;
  double variance = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    value += weights[i] * released.value[i];
    variance += weights[i] * weights[i] * VarianceOf(released, i);
  }
  const double margin = z * std::sqrt(variance);
  return {value - margin, value + margin};
}

std::optional<ErrorInterval> FiellerInterval(const NoisyRatio& ratio, double z) {
  const double a = ratio.numerator;
  const double b = ratio.denominator;
  const double va = ratio.numerator_variance;
  const double vb = ratio.denominator_variance;
  const double c = ratio.covariance;
  Check(va >= 0 && vb >= 0 && c * c <= va * vb * (1 + 0x1p-40), "a covariance has its variances");
  Check(z >= 0, "a quantile of both sides is not negative");
  const double square = z * z;
  const double leading = b * b - square * vb;
  if (!(leading > 0)) return std::nullopt;
  // The discriminant with a^2 b^2 cancelled by hand: what is left is small against it.
  const double spread = va * b * b - 2 * c * a * b + vb * a * a - square * (va * vb - c * c);
  const double root = z * std::sqrt(std::max(0.0, spread));
  const double centre = a * b - square * c;
  return ErrorInterval{(centre - root) / leading, (centre + root) / leading};
}

ErrorInterval SimulatedInterval(const NoisyVector& released, const CoordinateFunction& f,
                                const SimulationPlan& plan, const NormalDraw& draw) {
  Check(released.value.size() == released.sd.size(), "every number has its noise");
  Check(plan.level > 0 && plan.level < 1, "a level is between 0 and 1");
  Check(plan.range.low <= plan.range.high, "a range has its ends in order");
  const double estimate = f(released.value);
  std::vector<double> reflected;
  reflected.reserve(plan.draws);
  std::vector<double> moved(released.value.size());
  for (std::size_t n = 0; n < plan.draws; ++n) {
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] = released.value[i] + std::sqrt(VarianceOf(released, i)) * draw();
    }
    const double theta = f(moved);
    if (std::isfinite(theta)) reflected.push_back(2 * estimate - theta);
  }
  if (!std::isfinite(estimate)) return plan.range;
  std::sort(reflected.begin(), reflected.end());
  const ErrorInterval raw = Middle(reflected, plan.draws - reflected.size(), plan.level);
  return {std::clamp(raw.low, plan.range.low, plan.range.high),
          std::clamp(raw.high, plan.range.low, plan.range.high)};
}

ErrorInterval RootInterval(ErrorInterval square) {
  return {std::sqrt(std::max(0.0, square.low)), std::sqrt(std::max(0.0, square.high))};
}

}  // namespace dpsql
