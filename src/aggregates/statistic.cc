#include "aggregates/statistic.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "privacy/interval.h"

namespace dpsql {
namespace {

// The two-sided 95 % point of the normal distribution.
constexpr double kNormal95 = 1.959963984540054;

struct FactorNode {
  double concentration;
  double factor;
};

// Sums of infinitely many, 16, 8, 4, 3, 2 and 1 equal Laplace parts; the last is ln(20) / sqrt(2).
constexpr std::array<FactorNode, 7> kLaplaceFactors = {{{0.0, kNormal95},
                                                        {1.0 / 16, 1.973275688},
                                                        {1.0 / 8, 1.986812158},
                                                        {1.0 / 4, 2.012627883},
                                                        {1.0 / 3, 2.028420823},
                                                        {1.0 / 2, 2.056501640},
                                                        {1.0, 2.118302605}}};

}  // namespace

std::size_t Coordinates(const StatisticShape& shape) {
  if (shape.kind != StatisticKind::kMoments) return 1;
  return CoordinatesOf(shape.degrees) - (shape.counts_missing ? 0 : 1);
}

std::string Name(const StatisticShape& shape) {
  switch (shape.kind) {
    case StatisticKind::kUnits:
      return "units";
    case StatisticKind::kDistinct:
      return "claims";
    case StatisticKind::kRows:
      return "rows";
    case StatisticKind::kValue:
      return "value";
    case StatisticKind::kMoments:
      break;
  }
  const auto [x, y] = shape.degrees;
  std::string name = "moments";
  if (y > 0) {
    name += " (" + std::to_string(x) + "," + std::to_string(y) + ")";
  } else if (x > 1) {
    name += " (" + std::to_string(x) + ")";
  }
  return shape.counts_missing ? name + " and missing" : name;
}

bool CountsUnits(StatisticKind kind) {
  return kind == StatisticKind::kUnits || kind == StatisticKind::kDistinct;
}

unsigned TotalDegree(const StatisticShape& shape) {
  if (shape.kind == StatisticKind::kMoments) return shape.degrees.x_degree + shape.degrees.y_degree;
  return shape.kind == StatisticKind::kValue ? 1 : 0;
}

unsigned GridBits(const StatisticShape& shape, unsigned step_bits) {
  if (CountsUnits(shape.kind)) return 0;
  return step_bits * std::max(1U, TotalDegree(shape));
}

ClipWeights WeightsOf(const StatisticShape& shape) {
  if (shape.kind != StatisticKind::kMoments) return {.weight = {1}, .whole = 1};
  ClipWeights weights = MiddleWeights(shape.degrees);
  if (shape.counts_missing) weights.weight.push_back(weights.whole);
  return weights;
}

std::string_view Name(Mechanism mechanism) {
  return mechanism == Mechanism::kGaussian ? "gaussian" : "laplace";
}

double MarginFactor(Mechanism mechanism, double concentration) {
  if (mechanism == Mechanism::kGaussian) return kNormal95;
  for (std::size_t i = 1; i < kLaplaceFactors.size(); ++i) {
    const FactorNode& low = kLaplaceFactors[i - 1];
    const FactorNode& high = kLaplaceFactors[i];
    if (concentration > high.concentration) continue;
    const double share =
        (concentration - low.concentration) / (high.concentration - low.concentration);
    return low.factor + share * (high.factor - low.factor);
  }
  return kLaplaceFactors.back().factor;
}

Estimate LinearEstimate(const StatisticSample& sample, const std::vector<double>& weights) {
  Check(weights.size() == sample.value.size(), "one weight per coordinate");
  double value = 0;
  NoiseParts noise;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    value += weights[i] * sample.value[i];
    noise.Add(weights[i] * sample.sd[i]);
  }
  const double margin = MarginFactor(sample.mechanism, noise.concentration()) * noise.sd();
  return {.value = value, .interval = NoiseInterval{value - margin, value + margin}};
}

Estimate WholeEstimate(const StatisticSample& sample, const std::vector<double>& weights) {
  Estimate estimate = LinearEstimate(sample, weights);
  estimate.value = std::round(*estimate.value);
  // A true count is a whole number, so it lies in [low, high] iff it lies in [ceil, floor]: the
  // coverage is that of the real interval. Noise under half a step may leave no number inside.
  const NoiseInterval real = *estimate.interval;
  estimate.interval = NoiseInterval{std::min(std::ceil(real.low), *estimate.value),
                                    std::max(std::floor(real.high), *estimate.value)};
  return estimate;
}

}  // namespace dpsql
