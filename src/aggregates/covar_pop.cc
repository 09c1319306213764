#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// COVAR_POP(y, x) with bounds of both: over the rows where neither is NULL.
//
// Sensitivity. A row adds the products of the degree-1 vectors of its two values: four coordinates
// that sum to One, so that the row is One long at most in either norm; the unit's vector is clipped
// to B One. All moments are of the same rows, and the covariance is a function of the noisy vector.
//
// Interval. That of a ratio, the sum of products around the released means over the count
// (centred_moments.h), cut to what the bounds leave. The second-order bias of the estimate is taken
// off where the count is ten standard deviations above its noise.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return HasMoment(shape, Moment::kCovariance); }

Estimate Decode(const StatisticSample& sample) { return DecodeMoment(sample, Moment::kCovariance); }

Drawer DrawsOf(const StatisticSample& released) { return DrawerOf(released, Moment::kCovariance); }

}  // namespace

extern const Aggregate kCovarPop;
const Aggregate kCovarPop{.function = "covar_pop",
                          .form = AggregateForm::kPair,
                          .meaning = "the covariance of rows where both have a value, divisor n",
                          .result_type = "DOUBLE",
                          .unit = ResultUnit::kXTimesY,
                          .needs_bounds = true,
                          .alone = Moments(1, 1),
                          .reads = Reads,
                          .decode = Decode,
                          .drawer = DrawsOf};

}  // namespace dpsql
