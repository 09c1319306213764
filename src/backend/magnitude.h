#pragma once

#include <optional>

#include "plan/dp_plan.h"

namespace dpsql {

// The most that the size of a number can be, by the types of the columns it reads and by its
// literals. Declared bounds do not count: a row may break them. Nothing where it may be infinite or
// NaN.
// Ensures: not below the size of the value that the database computes, rounding included.
std::optional<double> MostSize(const BoundExpr& expr);

// Whether an arithmetic call can neither overflow nor be NaN, whatever the row holds: then it needs
// no guard.
bool IsHarmless(const BoundExpr& call);

}  // namespace dpsql
