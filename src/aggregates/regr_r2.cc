#include <algorithm>

#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// REGR_R2(y, x): the square of CORR(y, x).
//
// Sensitivity. That of corr.cc: a function of the same noisy vector. The interval holds the squares
// of all correlations in that of the correlation, which keeps its coverage or adds to it: where it
// holds 0, a correlation of the other sign has the same square, and the coverage is up to 98 %.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return HasMoment(shape, Moment::kCorrelation); }

Estimate Decode(const StatisticSample& sample) {
  const Estimate correlation = DecodeMoment(sample, Moment::kCorrelation);
  if (!correlation.value) return {};
  const auto [low, high] = *correlation.interval;
  const double largest = std::max(low * low, high * high);
  const double least = low <= 0 && high >= 0 ? 0.0 : std::min(low * low, high * high);
  return {.value = *correlation.value * *correlation.value,
          .interval = NoiseInterval{least, largest}};
}

Drawer DrawsOf(const StatisticSample& released) {
  return [drawer = DrawerOf(released, Moment::kCorrelation)](const StatisticSample& drawn) {
    const double correlation = drawer(drawn);
    return correlation * correlation;
  };
}

}  // namespace

extern const Aggregate kRegrR2;
const Aggregate kRegrR2{
    .function = "regr_r2",
    .form = AggregateForm::kPair,
    .meaning = "the share of y's variance that a line over x explains, from 0 to 1",
    .result_type = "DOUBLE",
    .unit = ResultUnit::kOne,
    .needs_bounds = true,
    .alone = Moments(2, 2),
    .reads = Reads,
    .decode = Decode,
    .drawer = DrawsOf};

}  // namespace dpsql
