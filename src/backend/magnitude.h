#pragma once

#include <optional>

#include "plan/dp_plan.h"

namespace dpsql {

// The most that the size of a number can be, by the types of the columns it reads and by its
// literals. Declared bounds do not count: a row may break them. Nothing where it may be infinite or
// NaN.
// Requires: a column holds nothing that its type cannot hold. That is the database's own rule for
// stored rows; the column of a release also holds keys that the policy lists as `values`, for which
// the catalog refuses those outside of the type (catalog/declared_values.h).
// Ensures: not below the size of the value that the database computes, rounding included.
std::optional<double> MostSize(const BoundExpr& expr);

// Whether an arithmetic call can neither overflow nor be NaN, whatever the row holds: then it needs
// no guard.
bool IsHarmless(const BoundExpr& call);

}  // namespace dpsql
