#include <algorithm>
#include <cmath>

#include "aggregates/aggregate.h"
#include "aggregates/moments.h"
#include "privacy/interval.h"

// AVG(x) with bounds [L, U].
//
// Sensitivity. A row adds the Bernstein vector of its value, of degree 1 where nothing else needs
// more: One in all, in the L1 norm and hence in the L2 norm; the unit's vector is clipped to B One
// in the norm of the noise. The mean is L + (U - L) a / n, where a = sum (i/d) b_i and n = sum b_i:
// a function of the noisy vector.
//
// Interval. Numerator and denominator share their noise, so the set of ratios t with
// (a - t n)^2 <= z^2 Var(a - t n) is solved exactly (Fieller), z being the 95 % point of the noise
// in a - t n at the estimate. Where the denominator is not clearly positive there is no mean to
// speak of, and the cell is NULL.
namespace dpsql {
namespace {

constexpr double kClearlyPositive = 3.0;  // standard deviations of the count

bool Reads(const StatisticShape& shape) {
  return HasMoment(shape, Moment::kMeanX) && shape.degrees.y_degree == 0;
}

NoisyRatio RatioOf(const StatisticSample& sample) {
  NoisyRatio ratio;
  const unsigned degree = sample.shape.degrees.x_degree;
  for (unsigned i = 0; i <= degree; ++i) {
    const double weight = static_cast<double>(i) / degree;
    const double variance = sample.sd[i] * sample.sd[i];
    ratio.numerator += weight * sample.value[i];
    ratio.denominator += sample.value[i];
    ratio.numerator_variance += weight * weight * variance;
    ratio.denominator_variance += variance;
    ratio.covariance += weight * variance;
  }
  return ratio;
}

// The concentration of the noise in a - t n.
double Concentration(const StatisticSample& sample, double t) {
  const unsigned degree = sample.shape.degrees.x_degree;
  NoiseParts noise;
  for (unsigned i = 0; i <= degree; ++i) {
    noise.Add((static_cast<double>(i) / degree - t) * sample.sd[i]);
  }
  return noise.concentration();
}

Estimate Decode(const StatisticSample& sample) {
  const NoisyRatio ratio = RatioOf(sample);
  const double n = ratio.denominator;
  if (n <= 0 || n < kClearlyPositive * std::sqrt(ratio.denominator_variance)) return {};
  const auto scale = [&](double share) {
    return sample.x.low + (sample.x.high - sample.x.low) * std::clamp(share, 0.0, 1.0);
  };
  const double mean = ratio.numerator / n;
  const double z = MarginFactor(sample.mechanism, Concentration(sample, mean));
  const auto set = FiellerInterval(ratio, z);
  const ErrorInterval interval = set ? *set : ErrorInterval{0, 1};
  return {.value = scale(mean),
          .interval = NoiseInterval{scale(interval.low), scale(interval.high)}};
}

Drawer DrawsOf(const StatisticSample& released) { return DrawerOf(released, Moment::kMeanX); }

}  // namespace

extern const Aggregate kAvg;
const Aggregate kAvg{.function = "avg",
                     .form = AggregateForm::kArgument,
                     .meaning = "the mean of x",
                     .result_type = "DOUBLE",
                     .unit = ResultUnit::kX,
                     .needs_bounds = true,
                     .alone = Moments(1),
                     .reads = Reads,
                     .decode = Decode,
                     .drawer = DrawsOf};

}  // namespace dpsql
