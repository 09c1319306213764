#include "aggregates/aggregate.h"

// COUNT(x): the rows of a cell where x is not NULL.
//
// Sensitivity. That of COUNT(*) over the rows with a value: a row adds D to one coordinate, or
// (D - Y, Y) to the two Bernstein coordinates of x, whose sum is D; either has L2 norm at most D,
// and the unit's vector is clipped to B*D. Units without a value do not count towards k: the rows
// with a value are a class of cells of their own.
namespace dpsql {
namespace {

bool Reads(StatisticKind kind) {
  return kind == StatisticKind::kRows || kind == StatisticKind::kMoments;
}

Estimate Decode(const StatisticSample& sample) {
  return CountEstimate(sample, std::vector<double>(sample.value.size(), 1.0));
}

}  // namespace

extern const Aggregate kCountValues;
const Aggregate kCountValues{.function = "count",
                             .form = AggregateForm::kArgument,
                             .result_type = "BIGINT",
                             .alone = StatisticKind::kRows,
                             .reads = Reads,
                             .decode = Decode};

}  // namespace dpsql
