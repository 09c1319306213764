#include "backend/encode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "backend/tree.h"
#include "base/check.h"

namespace dpsql {

ast::ExprPtr EncodeValue(const Statistic& statistic,
                         const std::function<ast::ExprPtr()>& argument) {
  const auto [low, high] = statistic.bounds;
  const bool moments = statistic.kind == StatisticKind::kMoments;
  const double origin = moments ? low : 0.0;
  const double span = moments ? high - low : std::max(std::abs(low), std::abs(high));
  ast::ExprPtr clamped = tree::When(
      tree::Call(">", argument(), tree::Real(high)), tree::Real(high),
      tree::When(tree::Call("<", argument(), tree::Real(low)), tree::Real(low), argument()));
  ast::ExprPtr moved = tree::Call("real -", std::move(clamped), tree::Real(origin));
  ast::ExprPtr scaled = tree::Call("real *", std::move(moved),
                                   tree::Real(static_cast<double>(kStatisticScale) / span));
  ast::ExprPtr rounded =
      tree::Call("floor", tree::Call("real +", std::move(scaled), tree::Real(0.5)));
  return tree::Cast(std::move(rounded), "int8");
}

std::size_t SumColumns(StatisticKind kind) {
  return kind == StatisticKind::kUnits ? 0 : Coordinates(kind);
}

std::vector<Int128> Coordinates(const Statistic& statistic, std::span<const Int128> columns) {
  Check(columns.size() == SumColumns(statistic.kind), "a statistic gets all of its columns");
  switch (statistic.kind) {
    case StatisticKind::kUnits:
      return {1};
    case StatisticKind::kRows:
      return {columns[0] * kStatisticScale};
    case StatisticKind::kValue:
      return {columns[0]};
    case StatisticKind::kMoments:
      return {columns[0] * kStatisticScale - columns[1], columns[1]};
  }
  throw Bug("every statistic has coordinates");
}

}  // namespace dpsql
