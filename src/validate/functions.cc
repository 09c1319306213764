#include "validate/functions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dpsql {
namespace {

std::optional<Interval> Finite(Interval interval) {
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return std::nullopt;
  return interval;
}

std::optional<Interval> Add(std::span<const Interval> x) {
  return Finite({x[0].low + x[1].low, x[0].high + x[1].high});
}

std::optional<Interval> Subtract(std::span<const Interval> x) {
  if (x.size() == 1) return Interval{-x[0].high, -x[0].low};
  return Finite({x[0].low - x[1].high, x[0].high - x[1].low});
}

std::optional<Interval> Multiply(std::span<const Interval> x) {
  const auto products = std::to_array(
      {x[0].low * x[1].low, x[0].low * x[1].high, x[0].high * x[1].low, x[0].high * x[1].high});
  const auto [low, high] = std::minmax_element(products.begin(), products.end());
  return Finite({*low, *high});
}

constexpr auto kFunctions = std::to_array<ScalarFunction>({
    {"=", FunctionShape::kComparison},
    {"<>", FunctionShape::kComparison},
    {"<", FunctionShape::kComparison},
    {"<=", FunctionShape::kComparison},
    {">", FunctionShape::kComparison},
    {">=", FunctionShape::kComparison},
    {"and", FunctionShape::kLogic},
    {"or", FunctionShape::kLogic},
    {"not", FunctionShape::kLogic},
    {"is null", FunctionShape::kTest},
    {"is not null", FunctionShape::kTest},
    {"in", FunctionShape::kMembership},
    {"like", FunctionShape::kText},
    {"not like", FunctionShape::kText},
    {"+", FunctionShape::kArithmetic, Add},
    {"-", FunctionShape::kArithmetic, Subtract},
    {"*", FunctionShape::kArithmetic, Multiply},
});

}  // namespace

std::span<const ScalarFunction> AllScalarFunctions() { return kFunctions; }

const ScalarFunction* FindScalarFunction(std::string_view name) {
  const auto found =
      std::find_if(kFunctions.begin(), kFunctions.end(),
                   [&](const ScalarFunction& function) { return function.name == name; });
  return found == kFunctions.end() ? nullptr : &*found;
}

}  // namespace dpsql
