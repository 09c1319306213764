#include "aggregates/statistic.h"

#include <cmath>

#include "base/check.h"

namespace dpsql {

std::size_t Coordinates(StatisticKind kind) { return kind == StatisticKind::kMoments ? 2 : 1; }

std::string_view Name(StatisticKind kind) {
  switch (kind) {
    case StatisticKind::kUnits:
      return "units";
    case StatisticKind::kRows:
      return "rows";
    case StatisticKind::kValue:
      return "value";
    case StatisticKind::kMoments:
      return "moments";
  }
  throw Bug("every statistic has a name");
}

Estimate LinearEstimate(const StatisticSample& sample, const std::vector<double>& weights) {
  Check(weights.size() == sample.value.size(), "one weight per coordinate");
  double value = 0;
  double variance = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    value += weights[i] * sample.value[i];
    variance += weights[i] * weights[i] * sample.sd[i] * sample.sd[i];
  }
  const double margin = kNormal95 * std::sqrt(variance);
  return {.value = value, .interval = NoiseInterval{value - margin, value + margin}};
}

bool CountsRows(StatisticKind kind) {
  return kind == StatisticKind::kRows || kind == StatisticKind::kMoments;
}

Estimate CountEstimate(const StatisticSample& sample) {
  Estimate estimate = LinearEstimate(sample, std::vector<double>(sample.value.size(), 1.0));
  estimate.value = std::round(*estimate.value);
  // A true count is a whole number, so it lies in [low, high] iff it lies in [ceil, floor]: the
  // coverage is that of the real interval. Noise under half a step may leave no number inside.
  const NoiseInterval real = *estimate.interval;
  estimate.interval = NoiseInterval{std::min(std::ceil(real.low), *estimate.value),
                                    std::max(std::floor(real.high), *estimate.value)};
  return estimate;
}

}  // namespace dpsql
