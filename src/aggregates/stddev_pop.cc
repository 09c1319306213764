#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// STDDEV_POP(x): the root of VAR_POP(x).
//
// Sensitivity. That of var_pop.cc: a function of the same noisy vector. The interval's ends are the
// roots of the variance's, which keeps its coverage.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) {
  return HasMoment(shape, Moment::kVarianceX) && shape.degrees.y_degree == 0;
}

Estimate Decode(const StatisticSample& sample) {
  return RootOf(DecodeMoment(sample, Moment::kVarianceX));
}

Drawer DrawsOf(const StatisticSample& released) {
  return RootOf(DrawerOf(released, Moment::kVarianceX));
}

}  // namespace

extern const Aggregate kStddevPop;
const Aggregate kStddevPop{.function = "stddev_pop",
                           .form = AggregateForm::kArgument,
                           .meaning = "the square root of var_pop",
                           .result_type = "DOUBLE",
                           .unit = ResultUnit::kX,
                           .needs_bounds = true,
                           .alone = Moments(2),
                           .reads = Reads,
                           .decode = Decode,
                           .drawer = DrawsOf};

}  // namespace dpsql
