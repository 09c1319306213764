#include "aggregates/moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "aggregates/centred_moments.h"
#include "base/check.h"

namespace dpsql {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Of the rows with a value.
double CountOf(const StatisticSample& sample) {
  const auto cells = static_cast<std::ptrdiff_t>(CoordinatesOf(sample.shape.degrees)) - 1;
  return std::accumulate(sample.value.begin(), sample.value.begin() + cells, 0.0);
}

}  // namespace

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
  const auto decoded = DecodeMoment(ReleaseOf(sample), moment);
  if (!decoded) return {};
  const auto interval = CentredMoments(sample).IntervalOf(moment);
  if (!interval) return {};
  const double value = decoded->value;
  return {
      .value = value,
      .interval = NoiseInterval{std::min(interval->low, value), std::max(interval->high, value)}};
}

Estimate DecodeSampleMoment(const StatisticSample& sample, Moment moment) {
  Estimate estimate = DecodeMoment(sample, moment);
  if (!estimate.value) return {};
  const double n = CountOf(sample);
  if (!(n > 1)) return {};
  const double factor = n / (n - 1);
  estimate.value = *estimate.value * factor;
  estimate.interval =
      NoiseInterval{estimate.interval->low * factor, estimate.interval->high * factor};
  return estimate;
}

Drawer DrawerOf(const StatisticSample& released, Moment moment) {
  if (!(CountOf(released) > 0)) return [](const StatisticSample&) { return kNone; };
  return MomentDrawer(released, moment);
}

Drawer SampleDrawerOf(const StatisticSample& released, Moment moment) {
  return [drawer = DrawerOf(released, moment)](const StatisticSample& drawn) {
    const double n = CountOf(drawn);
    return n > 1 ? drawer(drawn) * (n / (n - 1)) : kNone;
  };
}

Drawer RootOf(Drawer square) {
  return [square = std::move(square)](const StatisticSample& drawn) {
    return std::sqrt(square(drawn));
  };
}

Drawer CountDrawerOf(const StatisticSample& released, bool with_missing) {
  return [weights = CountWeights(released, with_missing)](const StatisticSample& drawn) {
    return std::inner_product(weights.begin(), weights.end(), drawn.value.begin(), 0.0);
  };
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
