#include <algorithm>
#include <cmath>

#include "aggregates/aggregate.h"

// SUM(x) with bounds [L, U].
//
// Sensitivity. Alone: a row adds Y = round(D * clamp(x) / M), M = max(|L|, |U|), so |Y| <= D; the
// unit's vector is clipped to L2 norm B*D, and SUM = M * sum(Y) / D moves by at most B*M. This is
// less noise than the Bernstein pair would give (L^2 + U^2 against M^2), so the pair is read only
// where COUNT(x) or AVG(x) needs it: then SUM = L * b0 + U * b1 is a function of a vector that is
// itself clipped to B*D. Rounding happens row by row after the clamp, so it changes the answer by
// at most n * M / 2D and the sensitivity not at all.
namespace dpsql {
namespace {

bool Reads(StatisticKind kind) {
  return kind == StatisticKind::kValue || kind == StatisticKind::kMoments;
}

Estimate Decode(const StatisticSample& sample) {
  const auto [low, high] = sample.bounds;
  if (sample.kind == StatisticKind::kMoments) return LinearEstimate(sample, {low, high});
  return LinearEstimate(sample, {std::max(std::abs(low), std::abs(high))});
}

}  // namespace

extern const Aggregate kSum;
const Aggregate kSum{.function = "sum",
                     .form = AggregateForm::kArgument,
                     .result_type = "DOUBLE",
                     .needs_bounds = true,
                     .alone = StatisticKind::kValue,
                     .reads = Reads,
                     .decode = Decode};

}  // namespace dpsql
