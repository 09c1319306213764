#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// REGR_SLOPE(y, x): of the line of least squares through y over x.
//
// Sensitivity. A row adds the products of the degree-2 vector of x and the degree-1 vector of y:
// six coordinates that sum to One, clipped as in corr.cc.
//
// Interval. That of a ratio, the covariance over the variance of x (centred_moments.h). NULL where
// the variance of x is not three standard deviations above its noise; what corr.cc says of cells
// that are mostly NULL holds here.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return HasMoment(shape, Moment::kSlope); }

Estimate Decode(const StatisticSample& sample) { return DecodeMoment(sample, Moment::kSlope); }

Drawer DrawsOf(const StatisticSample& released) { return DrawerOf(released, Moment::kSlope); }

}  // namespace

extern const Aggregate kRegrSlope;
const Aggregate kRegrSlope{.function = "regr_slope",
                           .form = AggregateForm::kPair,
                           .meaning = "the slope of the line that fits y to x best",
                           .result_type = "DOUBLE",
                           .unit = ResultUnit::kYOverX,
                           .needs_bounds = true,
                           .alone = Moments(2, 1),
                           .reads = Reads,
                           .decode = Decode,
                           .drawer = DrawsOf};

}  // namespace dpsql
