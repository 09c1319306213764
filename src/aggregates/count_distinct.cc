#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// COUNT(DISTINCT x): how many different values the cell holds.
//
// The number itself has no bounded sensitivity: one unit may hold them all. So each unit claims one
// value of the cell at most, one that none claimed before it, and the claims are counted. Units
// come in an order that each one's own values and its keyed priority decide, and look through their
// values in an order that is their own as well.
//
// Sensitivity. Let A and A' be the values claimed without and with a unit u. Until u's turn they
// are equal; after it A is in A' and A' has one more at most. A later unit v takes the first of its
// values outside A, or outside A'. Outside A' there are no more of them, in the same order, so that
// what v takes without u is in A' already or is what v takes with u: A stays in A'. And v adds to
// A' only if it has a value outside A', which is outside A as well, so that it adds to A too: the
// difference does not grow. Hence a unit moves a cell by 0 or 1; it takes part in at most C0 cells,
// so that the counts move by sqrt(C0) in L2 and C0 in L1. A proof in full, and why one unit's
// claims must not be shared between cells: docs/proofs/claims.md.
//
// Accuracy. Never above the true number, and at least half of what the best assignment of units to
// values would give. Where values are few and units many, it is the true number.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) { return shape.kind == StatisticKind::kDistinct; }

Estimate Decode(const StatisticSample& sample) { return WholeEstimate(sample, {1.0}); }

Drawer DrawsOf(const StatisticSample& released) { return CountDrawerOf(released, true); }

}  // namespace

extern const Aggregate kCountDistinct;
const Aggregate kCountDistinct{
    .function = "count",
    .form = AggregateForm::kDistinctValue,
    .meaning = "different values that people can claim, at most the true number",
    .result_type = "BIGINT",
    .alone = {.kind = StatisticKind::kDistinct},
    .reads = Reads,
    .decode = Decode,
    .drawer = DrawsOf};

}  // namespace dpsql
