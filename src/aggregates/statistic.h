#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "dpsql/answer.h"
#include "privacy/mechanism_choice.h"
#include "privacy/moment_grid.h"

namespace dpsql {

// What is summed and noised. Several aggregates may read one statistic. Rows are encoded as
// integers on a grid where one row weighs `One`: its vector is that long at most, in the L1 norm
// and hence in the L2 norm, so that r rows of a unit weigh at most r.
enum class StatisticKind {
  kUnits,     // 1 per unit in the cell
  kDistinct,  // 1 per value that a unit claims in the cell, each unit one at most
  kRows,      // One per row
  kValue,     // Y per row, |Y| <= One: the clamped value over the larger bound
  kMoments,   // the Bernstein vector of the row's value or pair of values
};

struct StatisticShape {
  StatisticKind kind = StatisticKind::kRows;
  BernsteinShape degrees;       // of kMoments
  bool counts_missing = false;  // of kMoments: a last coordinate counts the rows without a value

  friend bool operator==(const StatisticShape&, const StatisticShape&) = default;
};

inline constexpr StatisticShape Moments(unsigned x_degree, unsigned y_degree = 0) {
  return {.kind = StatisticKind::kMoments, .degrees = {x_degree, y_degree}};
}

std::size_t Coordinates(const StatisticShape& shape);

// "rows", "moments", "moments (2,1)"
std::string Name(const StatisticShape& shape);

// Whether a unit adds a whole number per cell, and not one per row.
bool CountsUnits(StatisticKind kind);

// How many values of a row are multiplied in its longest coordinate; 0 where there is no value.
unsigned TotalDegree(const StatisticShape& shape);

// The grid: One is 2^(step_bits * degree), where a value has 2^step_bits steps.
inline constexpr unsigned kMostStepBits = 20;
inline constexpr unsigned kMostGridBits = 40;
unsigned GridBits(const StatisticShape& shape, unsigned step_bits);

// Squared weights of the coordinates under an L2 clip; all 1 but for the middle ones of moments.
// Ensures: no row is longer than One in this norm.
ClipWeights WeightsOf(const StatisticShape& shape);

std::string_view Name(Mechanism mechanism);

// A noised statistic of one cell in natural units (1 = one row), with the standard deviation of
// the noise in each coordinate.
struct StatisticSample {
  StatisticShape shape;
  Mechanism mechanism = Mechanism::kGaussian;
  Interval x;  // bounds of the value, where there is one
  Interval y;  // of the second value of a pair
  std::vector<double> value;
  std::vector<double> sd;
};

// What an analyst sees of a cell; nothing where the noise leaves nothing to say.
struct Estimate {
  std::optional<double> value;
  std::optional<NoiseInterval> interval;
};

// The 95 % point of a sum of independent noises over its standard deviation. The normal one for
// Gaussian noise. For Laplace noise it depends on how evenly the parts p_i share the sum, told as
// sum p_i^4 / (sum p_i^2)^2: 2.118 for one, near the normal one for many. Between sums of 1, 2, 3,
// 4, 8 and 16 equal parts it is interpolated, to 1 %.
double MarginFactor(Mechanism mechanism, double concentration);

// value +- 95 % margin of a sum of coordinates with weights.
Estimate LinearEstimate(const StatisticSample& sample, const std::vector<double>& weights);

// A linear sum that is known to be whole: the interval is the whole numbers inside.
Estimate WholeEstimate(const StatisticSample& sample, const std::vector<double>& weights);

}  // namespace dpsql
