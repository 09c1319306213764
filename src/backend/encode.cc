#include "backend/encode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "backend/tree.h"
#include "base/check.h"
#include "privacy/moment_grid.h"
#include "sql/dialect.h"

namespace dpsql {

ValueEncoding EncodingOf(const Statistic& statistic, std::size_t argument) {
  const auto [low, high] = statistic.arguments.at(argument).bounds;
  const double steps = std::ldexp(1.0, static_cast<int>(statistic.step_bits));
  if (statistic.shape.kind == StatisticKind::kMoments) {
    return {.low = low, .high = high, .origin = low, .scale = steps / (high - low)};
  }
  return {.low = low,
          .high = high,
          .origin = 0,
          .scale = steps / std::max(std::abs(low), std::abs(high))};
}

namespace {

// A product that rounds to 0 steps and might vanish, which PostgreSQL calls an error.
constexpr double kNearlyNoStep = 1e-10;

}  // namespace

ast::ExprPtr EncodeValue(const ValueEncoding& encoding,
                         const std::function<ast::ExprPtr()>& argument) {
  const auto moved = [&] {
    ast::ExprPtr clamped = tree::When(
        tree::Call(">", argument(), tree::Real(encoding.high)), tree::Real(encoding.high),
        tree::When(tree::Call("<", argument(), tree::Real(encoding.low)), tree::Real(encoding.low),
                   argument()));
    return tree::Call("real -", std::move(clamped), tree::Real(encoding.origin));
  };
  ast::ExprPtr scaled = tree::Call("real *", moved(), tree::Real(encoding.scale));
  if (encoding.scale < 1) {
    scaled = tree::When(tree::Call("<", tree::Call("abs real", moved()),
                                   tree::Real(kNearlyNoStep / encoding.scale)),
                        tree::Real(0), std::move(scaled));
  }
  ast::ExprPtr rounded = tree::Call("floor" + std::string(kUnguarded),
                                    tree::Call("real +", std::move(scaled), tree::Real(0.5)));
  return tree::Cast(std::move(rounded), "int8");
}

std::vector<Powers> SummedPowers(const StatisticShape& shape) {
  if (shape.kind == StatisticKind::kValue) return {{.x = 1, .y = 0}};
  if (shape.kind != StatisticKind::kMoments) return {};
  std::vector<Powers> powers;
  for (unsigned a = 0; a <= shape.degrees.x_degree; ++a) {
    for (unsigned b = 0; b <= shape.degrees.y_degree; ++b) {
      if (a + b > 0) powers.push_back({.x = a, .y = b});
    }
  }
  return powers;
}

std::vector<Int128> Coordinates(const Statistic& statistic, std::span<const Int128> class_rows,
                                std::span<const Int128> sums) {
  Check(sums.size() == SummedPowers(statistic.shape).size(), "a statistic gets all of its sums");
  const Int128 rows = class_rows[statistic.cell_class];
  const Int128 one = Int128{1} << statistic.grid_bits();
  switch (statistic.shape.kind) {
    case StatisticKind::kRows:
      return {rows * one};
    case StatisticKind::kValue:
      return {sums[0]};
    case StatisticKind::kMoments:
      break;
    case StatisticKind::kUnits:
    case StatisticKind::kDistinct:
      throw Bug("units are counted by the bounding");
  }
  std::vector<Int128> power_sums = {rows};
  power_sums.insert(power_sums.end(), sums.begin(), sums.end());
  std::vector<Int128> coordinates =
      CoordinatesOfPowerSums(statistic.shape.degrees, statistic.step_bits, power_sums);
  if (statistic.shape.counts_missing) {
    coordinates.push_back((class_rows[statistic.row_class] - rows) * one);
  }
  return coordinates;
}

}  // namespace dpsql
