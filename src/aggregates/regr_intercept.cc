#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// REGR_INTERCEPT(y, x): where the line of regr_slope.cc meets x = 0.
//
// Sensitivity. That of regr_slope.cc: a function of the same noisy vector.
//
// Interval. That of a ratio over the variance of x, its numerator made linear at the estimate
// (centred_moments.h). NULL where the slope is.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return HasMoment(shape, Moment::kIntercept); }

Estimate Decode(const StatisticSample& sample) { return DecodeMoment(sample, Moment::kIntercept); }

Drawer DrawsOf(const StatisticSample& released) { return DrawerOf(released, Moment::kIntercept); }

}  // namespace

extern const Aggregate kRegrIntercept;
const Aggregate kRegrIntercept{.function = "regr_intercept",
                               .form = AggregateForm::kPair,
                               .meaning = "where the line that fits y to x best is at x = 0",
                               .result_type = "DOUBLE",
                               .unit = ResultUnit::kY,
                               .needs_bounds = true,
                               .alone = Moments(2, 1),
                               .reads = Reads,
                               .decode = Decode,
                               .drawer = DrawsOf};

}  // namespace dpsql
