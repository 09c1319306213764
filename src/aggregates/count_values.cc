#include "aggregates/aggregate.h"

// COUNT(x): the rows of a cell where x is not NULL.
//
// Sensitivity. That of COUNT(*) over the rows with a value: a row adds D to one coordinate, or
// (D - Y, Y) to the two Bernstein coordinates of x, whose sum is D; either has L2 norm at most D,
// and the unit's vector is clipped to B*D. Units without a value do not count towards k: the rows
// with a value are a class of cells of their own.
namespace dpsql {

extern const Aggregate kCountValues;
const Aggregate kCountValues{.function = "count",
                             .form = AggregateForm::kArgument,
                             .result_type = "BIGINT",
                             .alone = StatisticKind::kRows,
                             .reads = CountsRows,
                             .decode = CountEstimate};

}  // namespace dpsql
