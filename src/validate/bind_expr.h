#pragma once

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"
#include "validate/scope.h"

namespace dpsql {

// What an expression may hold beyond columns and functions is for its block to say. Each answers a
// stand-in (validate/rewrite.h), or refuses.
class ExprHooks {
 public:
  virtual ~ExprHooks() = default;
  virtual Result<BoundExprPtr> BindAggregate(const ast::Call& call, SourceSpan span) = 0;
  virtual Result<BoundExprPtr> BindWindow(const ast::Call& call, SourceSpan span) = 0;
  virtual Result<BoundExprPtr> BindSubquery(const ast::Subquery& subquery, SourceSpan span) = 0;
};

// Whether the call is an aggregate of its block.
bool IsAggregateCall(const ast::Call& call);

// Binds one expression. Closed world: an operator that is not in functions.cc is refused, and so is
// an aggregate, a window or a subquery where no hooks take it.
// Ensures: the result is total (no error, cast or overflow depends on a row).
Result<BoundExprPtr> BindExpr(const ast::Expr& expr, const Scope& scope,
                              ExprHooks* hooks = nullptr);

// The same for a condition: the result is boolean.
Result<BoundExprPtr> BindCondition(const ast::Expr& expr, const Scope& scope,
                                   ExprHooks* hooks = nullptr);

// Builds a bound call, typed like any other.
BoundExprPtr MakeBoundCall(const std::string& name, std::vector<BoundExprPtr> arguments,
                           SourceSpan span);

// Splits a condition at its top-level ANDs.
void AppendConjuncts(const BoundExprPtr& condition, std::vector<BoundExprPtr>& conjuncts);

}  // namespace dpsql
