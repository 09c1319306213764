#pragma once

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"
#include "validate/scope.h"

namespace dpsql {

// Binds one row expression: WHERE, ON, GROUP BY, or an aggregate's argument. Closed world: an
// operator that is not in functions.cc, an aggregate or a subquery is refused.
// Ensures: the result is total (theory: no error, cast or overflow depends on a row).
Result<BoundExprPtr> BindExpr(const ast::Expr& expr, const Scope& scope);

// The same for a condition: the result is boolean.
Result<BoundExprPtr> BindCondition(const ast::Expr& expr, const Scope& scope);

// Builds a bound call, typed like any other.
BoundExprPtr MakeBoundCall(const std::string& name, std::vector<BoundExprPtr> arguments,
                           SourceSpan span);

// Splits a condition at its top-level ANDs.
void AppendConjuncts(const BoundExprPtr& condition, std::vector<BoundExprPtr>& conjuncts);

}  // namespace dpsql
