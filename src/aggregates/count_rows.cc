#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// COUNT(*): the rows of a cell.
//
// Sensitivity. A row adds One to one coordinate of its cell. The unit's vector over all released
// cells is clipped to B One in the norm of the noise, so adding or removing a unit moves the counts
// by at most B, whatever its rows. Where every row has a value, or the rows without one have a
// coordinate of their own, the coordinates of a Bernstein vector sum to One for each row, and the
// count is their sum.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) {
  if (shape.kind == StatisticKind::kRows) return true;
  return HasMoment(shape, Moment::kRows) && shape.degrees.y_degree == 0;
}

Estimate Decode(const StatisticSample& sample) {
  return WholeEstimate(sample, CountWeights(sample, true));
}

Drawer DrawsOf(const StatisticSample& released) { return CountDrawerOf(released, true); }

}  // namespace

extern const Aggregate kCountRows;
const Aggregate kCountRows{.function = "count",
                           .form = AggregateForm::kStar,
                           .meaning = "rows",
                           .result_type = "BIGINT",
                           .alone = {.kind = StatisticKind::kRows},
                           .reads = Reads,
                           .decode = Decode,
                           .drawer = DrawsOf};

}  // namespace dpsql
