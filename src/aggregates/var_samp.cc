#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// VAR_SAMP(x), also VARIANCE(x): VAR_POP times n / (n - 1), with the noisy n.
//
// Sensitivity. That of var_pop.cc: the same noisy vector is read in another way.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) {
  return HasMoment(shape, Moment::kVarianceX) && shape.degrees.y_degree == 0;
}

Estimate Decode(const StatisticSample& sample) {
  return DecodeSampleMoment(sample, Moment::kVarianceX);
}

Drawer DrawsOf(const StatisticSample& released) {
  return SampleDrawerOf(released, Moment::kVarianceX);
}

}  // namespace

extern const Aggregate kVarSamp;
const Aggregate kVarSamp{.function = "var_samp",
                         .form = AggregateForm::kArgument,
                         .meaning = "the variance of x, divisor n - 1",
                         .result_type = "DOUBLE",
                         .unit = ResultUnit::kXSquared,
                         .needs_bounds = true,
                         .alone = Moments(2),
                         .reads = Reads,
                         .decode = Decode,
                         .other_name = "variance",
                         .drawer = DrawsOf};

}  // namespace dpsql
