#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "dpsql/answer.h"

namespace dpsql {

// What is summed and noised. Several aggregates may read one statistic. Every row is encoded as
// integers, each at most `kStatisticScale` in L2 norm, so that r rows of a unit weigh at most r.
enum class StatisticKind {
  kUnits,    // 1 per unit in the cell
  kRows,     // (D) per row
  kValue,    // (Y) per row, |Y| <= D: the clamped value over the larger bound
  kMoments,  // (D - Y, Y) per row, 0 <= Y <= D: the Bernstein vector of degree 1 of the value
};

// D: one, in grid steps. Fine enough that clipping a unit's vector does not truncate it to nothing.
inline constexpr std::int64_t kStatisticScale = std::int64_t{1} << 20;

std::size_t Coordinates(StatisticKind kind);
std::string_view Name(StatisticKind kind);

// A noised statistic of one cell in natural units (1 = one row), with the standard deviation of
// the noise in each coordinate.
struct StatisticSample {
  StatisticKind kind = StatisticKind::kRows;
  Interval bounds;  // of the value, where there is one
  std::vector<double> value;
  std::vector<double> sd;
};

// What an analyst sees of a cell; nothing where the noise leaves nothing to say.
struct Estimate {
  std::optional<double> value;
  std::optional<NoiseInterval> interval;
};

// The two-sided 95 % point of the normal distribution.
inline constexpr double kNormal95 = 1.959963984540054;

// value +- 95 % margin of a sum of coordinates with weights; exact for Gaussian noise.
Estimate LinearEstimate(const StatisticSample& sample, const std::vector<double>& weights);

// The sum of all coordinates, a number that is known to be whole: the interval is the whole numbers
// inside.
Estimate CountEstimate(const StatisticSample& sample);

// Whether the sum of this statistic's coordinates is the number of its rows.
bool CountsRows(StatisticKind kind);

}  // namespace dpsql
