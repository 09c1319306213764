#include <algorithm>
#include <cmath>

#include "aggregates/aggregate.h"

// AVG(x) with bounds [L, U].
//
// Sensitivity. A row adds (D - Y, Y) with Y = round(D * (clamp(x) - L) / (U - L)), a vector of L1
// norm D and L2 norm at most D; the unit's vector is clipped to L2 norm B*D. The mean is
// L + (U - L) * b1 / (b0 + b1), a function of the noisy pair.
//
// Interval. Numerator a = b1 and denominator b = b0 + b1 share the noise of b1, so the set of
// ratios t with (a - t b)^2 <= z^2 Var(a - t b) is solved exactly (Fieller). Where the denominator
// is not clearly positive there is no mean to speak of, and the cell is NULL.
namespace dpsql {
namespace {

constexpr double kClearlyPositive = 3.0;  // standard deviations of the count

bool Reads(StatisticKind kind) { return kind == StatisticKind::kMoments; }

// The 95 % set of ratios a/b, for Var(a) = va, Var(b) = vb, Cov(a, b) = c.
NoiseInterval Fieller(double a, double b, double va, double vb, double c) {
  const double z2 = kNormal95 * kNormal95;
  const double qa = b * b - z2 * vb;
  const double qb = a * b - z2 * c;
  const double qc = a * a - z2 * va;
  const double root = std::sqrt(std::max(0.0, qb * qb - qa * qc));
  return {(qb - root) / qa, (qb + root) / qa};
}

Estimate Decode(const StatisticSample& sample) {
  const double b1 = sample.value[1];
  const double n = sample.value[0] + b1;
  const double v0 = sample.sd[0] * sample.sd[0];
  const double v1 = sample.sd[1] * sample.sd[1];
  if (n <= 0 || n < kClearlyPositive * std::sqrt(v0 + v1)) return {};
  const Interval bounds = sample.bounds;
  const auto scale = [&](double ratio) {
    return bounds.low + (bounds.high - bounds.low) * std::clamp(ratio, 0.0, 1.0);
  };
  const NoiseInterval ratio = Fieller(b1, n, v1, v0 + v1, v1);
  return {.value = scale(b1 / n), .interval = NoiseInterval{scale(ratio.low), scale(ratio.high)}};
}

}  // namespace

extern const Aggregate kAvg;
const Aggregate kAvg{.function = "avg",
                     .form = AggregateForm::kArgument,
                     .result_type = "DOUBLE",
                     .needs_bounds = true,
                     .alone = StatisticKind::kMoments,
                     .reads = Reads,
                     .decode = Decode};

}  // namespace dpsql
