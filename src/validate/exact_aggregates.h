#pragma once

#include <span>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bind_expr.h"
#include "validate/bound_query.h"
#include "validate/functions.h"
#include "validate/scope.h"

namespace dpsql {

// Every aggregate that is computed exactly, for the reference.
std::span<const ExactForm> ExactAggregateForms();

// Binds an aggregate that is computed exactly: of public rows, or of the rows of one unit. Within a
// unit it must be a function of the *multiset* of the unit's rows, so that no order of rows shows:
// counts, minima and maxima of exact types, and sums of integers.
Result<ExactAggregate> BindExactAggregate(const ast::Call& call, SourceSpan span,
                                          const Scope& scope, ExprHooks* hooks, bool per_unit);

// agg(x) FILTER (WHERE c) is agg(CASE WHEN c THEN x END): aggregates do not see NULL. Answers the
// argument under the condition; count(*) has the argument 1.
Result<BoundExprPtr> FilteredArgument(BoundExprPtr argument, const ast::Expr& filter,
                                      const Scope& scope, ExprHooks* hooks);

bool SameAggregate(const ExactAggregate& a, const ExactAggregate& b);

}  // namespace dpsql
