#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// COVAR_SAMP(y, x): COVAR_POP times n / (n - 1), with the noisy n.
//
// Sensitivity. That of covar_pop.cc: the same noisy vector is read in another way.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return HasMoment(shape, Moment::kCovariance); }

Estimate Decode(const StatisticSample& sample) {
  return DecodeSampleMoment(sample, Moment::kCovariance);
}

Drawer DrawsOf(const StatisticSample& released) {
  return SampleDrawerOf(released, Moment::kCovariance);
}

}  // namespace

extern const Aggregate kCovarSamp;
const Aggregate kCovarSamp{
    .function = "covar_samp",
    .form = AggregateForm::kPair,
    .meaning = "the covariance of rows where both have a value, divisor n - 1",
    .result_type = "DOUBLE",
    .unit = ResultUnit::kXTimesY,
    .needs_bounds = true,
    .alone = Moments(1, 1),
    .reads = Reads,
    .decode = Decode,
    .drawer = DrawsOf};

}  // namespace dpsql
