#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// COUNT(x): the rows of a cell where x is not NULL.
//
// Sensitivity. That of COUNT(*) over the rows with a value: a row adds One to one coordinate, or
// its Bernstein vector, whose coordinates sum to One; either is One long at most, and the unit's
// vector is clipped to B One. Units without a value do not count towards k: the rows with a value
// are a class of cells of their own.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) {
  if (shape.kind == StatisticKind::kRows) return true;
  return HasMoment(shape, Moment::kCount) && shape.degrees.y_degree == 0;
}

Estimate Decode(const StatisticSample& sample) {
  return WholeEstimate(sample, CountWeights(sample, false));
}

Drawer DrawsOf(const StatisticSample& released) { return CountDrawerOf(released, false); }

}  // namespace

extern const Aggregate kCountValues;
const Aggregate kCountValues{.function = "count",
                             .form = AggregateForm::kArgument,
                             .meaning = "rows where x has a value",
                             .result_type = "BIGINT",
                             .alone = {.kind = StatisticKind::kRows},
                             .reads = Reads,
                             .decode = Decode,
                             .drawer = DrawsOf};

}  // namespace dpsql
