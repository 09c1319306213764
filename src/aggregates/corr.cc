#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// CORR(y, x) with bounds of both: over the rows where neither is NULL.
//
// Sensitivity. A row adds the products of the degree-2 vectors of its two values: nine coordinates
// that sum to One. The unit's vector is clipped to B One, for Gaussian noise in the L2 norm with
// the product of both weights, in which a row has the product of both norms: One at most.
//
// Interval. The noise to first order, cut to [-1, 1]. NULL where a variance is not three standard
// deviations above its noise.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return HasMoment(shape, Moment::kCorrelation); }

Estimate Decode(const StatisticSample& sample) {
  return DecodeMoment(sample, Moment::kCorrelation);
}

}  // namespace

extern const Aggregate kCorr;
const Aggregate kCorr{.function = "corr",
                      .form = AggregateForm::kPair,
                      .result_type = "DOUBLE",
                      .unit = ResultUnit::kOne,
                      .needs_bounds = true,
                      .alone = Moments(2, 2),
                      .reads = Reads,
                      .decode = Decode};

}  // namespace dpsql
