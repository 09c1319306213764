#pragma once

#include <string>
#include <vector>

#include "dpsql/result.h"
#include "validate/bound_query.h"

namespace dpsql {

// The letter of ScalarFunction::arguments that stands for argument i.
char LetterAt(const ScalarFunction& function, std::size_t i);

// Finds the form of a function that takes these arguments, gives literals the types it wants, and
// types the result: its bounds, and whether it can be NULL.
// Requires: IsScalarFunction(name).
Result<BoundExprPtr> BindOverload(const std::string& name, std::vector<BoundExprPtr> arguments,
                                  SourceSpan span);

// Compares two values of one type. A text literal beside a date, timestamp, interval or UUID is
// read as one, here and now, so that no conversion can fail on a row.
Result<BoundExprPtr> BindComparison(const std::string& name, BoundExprPtr left, BoundExprPtr right,
                                    SourceSpan span);

// Binds pairs of a condition and a result, and the result of ELSE behind them.
Result<BoundExprPtr> BindCase(std::vector<BoundExprPtr> arguments, SourceSpan span);

}  // namespace dpsql
