#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// VAR_POP(x) with bounds [L, U]: the mean squared distance from the mean.
//
// Sensitivity. A row adds the Bernstein vector of degree 2 of its value: three coordinates that sum
// to One. The unit's vector is clipped to B One: in L1 for Laplace noise; for Gaussian noise in an
// L2 norm that weighs the middle coordinate 7/2, which no row exceeds (docs/proofs/bernstein.md),
// so that its noise is smaller by sqrt(7/2). The variance is a function of the noisy vector.
//
// Interval. That of a ratio, the sum of squares around the released mean over the count, with the
// noise of the mean in it (centred_moments.h), cut to [0, (U-L)^2/4]. The second-order bias of the
// estimate is taken off where the count is ten standard deviations above its noise. NULL where it
// is not three.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) {
  return HasMoment(shape, Moment::kVarianceX) && shape.degrees.y_degree == 0;
}

Estimate Decode(const StatisticSample& sample) { return DecodeMoment(sample, Moment::kVarianceX); }

Drawer DrawsOf(const StatisticSample& released) { return DrawerOf(released, Moment::kVarianceX); }

}  // namespace

extern const Aggregate kVarPop;
const Aggregate kVarPop{.function = "var_pop",
                        .form = AggregateForm::kArgument,
                        .meaning = "the variance of x, divisor n",
                        .result_type = "DOUBLE",
                        .unit = ResultUnit::kXSquared,
                        .needs_bounds = true,
                        .alone = Moments(2),
                        .reads = Reads,
                        .decode = Decode,
                        .drawer = DrawsOf};

}  // namespace dpsql
