#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// COUNT(DISTINCT unit): how many privacy units have a row in the cell.
//
// Sensitivity. A unit adds 1 to at most C0 cells, those that come first by its keyed priority, so
// adding or removing it moves the counts by at most sqrt(C0) in L2 and C0 in L1. No row of another
// unit decides which cells these are.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return shape.kind == StatisticKind::kUnits; }

Estimate Decode(const StatisticSample& sample) { return WholeEstimate(sample, {1.0}); }

Drawer DrawsOf(const StatisticSample& released) { return CountDrawerOf(released, true); }

}  // namespace

extern const Aggregate kCountUnits;
const Aggregate kCountUnits{.function = "count",
                            .form = AggregateForm::kDistinctUnit,
                            .meaning = "privacy units: people",
                            .result_type = "BIGINT",
                            .alone = {.kind = StatisticKind::kUnits},
                            .reads = Reads,
                            .decode = Decode,
                            .drawer = DrawsOf};

}  // namespace dpsql
