#pragma once

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bind_expr.h"
#include "validate/bound_query.h"
#include "validate/scope.h"

namespace dpsql {

// Binds an aggregate call: its form, its argument, and the bounds of the argument, which come from
// the call (SUM(x, 0, 100), SUM(x, lower => 0, upper => 100)) or from the policy by interval
// arithmetic. Refuses (V310) with the text to add where bounds are needed and there are none.
Result<BoundAggregate> BindAggregate(const ast::Call& call, SourceSpan span, const Scope& scope,
                                     const Relation& relation, ExprHooks* hooks);

}  // namespace dpsql
