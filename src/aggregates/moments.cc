#include "aggregates/moments.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace dpsql {

bool HasMoment(const StatisticShape& shape, Moment moment) {
  return shape.kind == StatisticKind::kMoments && Determines(shape.degrees, moment);
}

BernsteinRelease ReleaseOf(const StatisticSample& sample) {
  Check(sample.shape.kind == StatisticKind::kMoments, "moments come from a Bernstein vector");
  BernsteinRelease release{.shape = sample.shape.degrees,
                           .x = {sample.x.low, sample.x.high},
                           .y = {sample.y.low, sample.y.high},
                           .value = sample.value,
                           .sd = sample.sd};
  release.value.resize(CoordinatesOf(release.shape), 0.0);
  release.sd.resize(CoordinatesOf(release.shape), 0.0);
  return release;
}

Estimate DecodeMoment(const StatisticSample& sample, Moment moment) {
  const BernsteinRelease release = ReleaseOf(sample);
  const auto decoded = DecodeMoment(release, moment);
  if (!decoded) return {};
  const double margin = MarginFactor(sample.mechanism, decoded->concentration) * decoded->sd;
  const ValueRange range = NaturalRange(release, moment);
  return {.value = decoded->value,
          .interval = NoiseInterval{std::max(decoded->value - margin, range.low),
                                    std::min(decoded->value + margin, range.high)}};
}

Estimate DecodeSampleMoment(const StatisticSample& sample, Moment moment) {
  Estimate estimate = DecodeMoment(sample, moment);
  if (!estimate.value) return {};
  const BernsteinRelease release = ReleaseOf(sample);
  const double n = RawMoment(release, release.value, Moment::kCount);
  if (!(n > 1)) return {};
  const double factor = n / (n - 1);
  estimate.value = *estimate.value * factor;
  estimate.interval =
      NoiseInterval{estimate.interval->low * factor, estimate.interval->high * factor};
  return estimate;
}

Estimate RootOf(const Estimate& square) {
  if (!square.value) return {};
  const auto root = [](double x) { return std::sqrt(std::max(0.0, x)); };
  return {.value = root(*square.value),
          .interval = NoiseInterval{root(square.interval->low), root(square.interval->high)}};
}

std::vector<double> CountWeights(const StatisticSample& sample, bool with_missing) {
  std::vector<double> weights(sample.value.size(), 1.0);
  if (sample.shape.counts_missing && !with_missing) weights.back() = 0.0;
  return weights;
}

}  // namespace dpsql
