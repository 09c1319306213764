#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// CORR(y, x) with bounds of both: over the rows where neither is NULL.
//
// Sensitivity. A row adds the products of the degree-2 vectors of its two values: nine coordinates
// that sum to One. The unit's vector is clipped to B One, for Gaussian noise in the L2 norm with
// the product of both weights, in which a row has the product of both norms: One at most.
//
// Interval. That of a ratio, the covariance over the root of both variances, made linear at the
// estimate (centred_moments.h), cut to [-1, 1]. NULL where a variance is not three standard
// deviations above its noise. Where most cells are NULL for that reason, those that are not have
// variances that noise made large: their intervals hold for all cells, NULL as anything, and for
// these alone in fewer than 95 of 100.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return HasMoment(shape, Moment::kCorrelation); }

Estimate Decode(const StatisticSample& sample) {
  return DecodeMoment(sample, Moment::kCorrelation);
}

Drawer DrawsOf(const StatisticSample& released) { return DrawerOf(released, Moment::kCorrelation); }

}  // namespace

extern const Aggregate kCorr;
const Aggregate kCorr{.function = "corr",
                      .form = AggregateForm::kPair,
                      .meaning = "the correlation, from -1 to 1",
                      .result_type = "DOUBLE",
                      .unit = ResultUnit::kOne,
                      .needs_bounds = true,
                      .alone = Moments(2, 2),
                      .reads = Reads,
                      .decode = Decode,
                      .drawer = DrawsOf};

}  // namespace dpsql
