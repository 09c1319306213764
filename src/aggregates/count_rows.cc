#include "aggregates/aggregate.h"

// COUNT(*): the rows of a cell.
//
// Sensitivity. A row adds D to one coordinate of its cell. The unit's vector over all released
// cells is clipped to L2 norm B*D, so adding or removing a unit moves the counts by at most B in
// L2, whatever its rows. Where every row also has a value (no NULL), the two Bernstein coordinates
// of that value sum to D, and the count is their sum.
namespace dpsql {

extern const Aggregate kCountRows;
const Aggregate kCountRows{.function = "count",
                           .form = AggregateForm::kStar,
                           .result_type = "BIGINT",
                           .alone = StatisticKind::kRows,
                           .reads = CountsRows,
                           .decode = CountEstimate};

}  // namespace dpsql
