#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// STDDEV_SAMP(x), also STDDEV(x): the root of VAR_SAMP(x).
//
// Sensitivity. That of var_pop.cc: a function of the same noisy vector.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) {
  return HasMoment(shape, Moment::kVarianceX) && shape.degrees.y_degree == 0;
}

Estimate Decode(const StatisticSample& sample) {
  return RootOf(DecodeSampleMoment(sample, Moment::kVarianceX));
}

Drawer DrawsOf(const StatisticSample& released) {
  return RootOf(SampleDrawerOf(released, Moment::kVarianceX));
}

}  // namespace

extern const Aggregate kStddevSamp;
const Aggregate kStddevSamp{.function = "stddev_samp",
                            .form = AggregateForm::kArgument,
                            .meaning = "the square root of var_samp",
                            .result_type = "DOUBLE",
                            .unit = ResultUnit::kX,
                            .needs_bounds = true,
                            .alone = Moments(2),
                            .reads = Reads,
                            .decode = Decode,
                            .other_name = "stddev",
                            .drawer = DrawsOf};

}  // namespace dpsql
