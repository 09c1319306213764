#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "catalog/catalog.h"

namespace dpsql {

// What the arguments of a function must be, and what comes out.
enum class FunctionShape {
  kComparison,  // two values of one type -> boolean
  kLogic,       // booleans -> boolean
  kTest,        // one value -> boolean, never NULL
  kText,        // two texts -> boolean
  kArithmetic,  // numbers -> number
  kMembership,  // a value and values of its type -> boolean
};

// A scalar function or operator that row expressions may use: one line in functions.cc.
struct ScalarFunction {
  std::string_view name;
  FunctionShape shape;
  // Where the result lies when the arguments lie in the given intervals; null where no bounds
  // follow.
  std::optional<Interval> (*interval)(std::span<const Interval> arguments) = nullptr;
};

std::span<const ScalarFunction> AllScalarFunctions();
const ScalarFunction* FindScalarFunction(std::string_view name);

}  // namespace dpsql
