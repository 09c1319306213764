#include <algorithm>
#include <cmath>

#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

// SUM(x) with bounds [L, U].
//
// Sensitivity. Alone: a row adds Y = round(One * clamp(x) / M), M = max(|L|, |U|), so |Y| <= One;
// the unit's vector is clipped to B One, and SUM = M * sum(Y) / One moves by at most B M. This is
// less noise than the Bernstein pair would give (L^2 + U^2 against M^2), so a vector of moments is
// read only where COUNT(x), AVG(x) or VAR(x) needs it: then SUM = L n + (U - L) sum (i/d) b_i is a
// function of a vector that is itself clipped to B One. Rounding happens row by row after the
// clamp, so it changes the answer by at most half a step per row and the sensitivity not at all.
namespace dpsql {
namespace {

bool Reads(const StatisticShape& shape) {
  if (shape.kind == StatisticKind::kValue) return true;
  return HasMoment(shape, Moment::kSumX) && shape.degrees.y_degree == 0;
}

Estimate Decode(const StatisticSample& sample) {
  const auto [low, high] = sample.x;
  if (sample.shape.kind == StatisticKind::kValue) {
    return LinearEstimate(sample, {std::max(std::abs(low), std::abs(high))});
  }
  std::vector<double> weights = CountWeights(sample, false);
  const unsigned degree = sample.shape.degrees.x_degree;
  for (unsigned i = 0; i <= degree; ++i) {
    weights[i] = low + (high - low) * (static_cast<double>(i) / degree);
  }
  return LinearEstimate(sample, weights);
}

}  // namespace

extern const Aggregate kSum;
const Aggregate kSum{.function = "sum",
                     .form = AggregateForm::kArgument,
                     .meaning = "the sum of x",
                     .result_type = "DOUBLE",
                     .unit = ResultUnit::kX,
                     .needs_bounds = true,
                     .alone = {.kind = StatisticKind::kValue},
                     .reads = Reads,
                     .decode = Decode};

}  // namespace dpsql
