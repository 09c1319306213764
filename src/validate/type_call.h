#pragma once

#include <vector>

#include "validate/bound_query.h"

namespace dpsql {

// Builds a call of one form: its type, its bounds and where they come from, and whether it can be
// NULL.
// Requires: the arguments are what the form asks for.
BoundExprPtr MakeTypedCall(const ScalarFunction& function, std::vector<BoundExprPtr> arguments,
                           SourceSpan span);

// The one type of the values at the a's of a form: what CASE, COALESCE and GREATEST give.
Type CommonType(const ScalarFunction& function, const std::vector<BoundExprPtr>& arguments);

}  // namespace dpsql
