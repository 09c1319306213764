#pragma once

#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bind_expr.h"
#include "validate/bound_query.h"
#include "validate/functions.h"
#include "validate/scope.h"

namespace dpsql {

// Every function that can stand before OVER, for the reference.
std::vector<ExactForm> WindowForms();

// Binds one OVER; `named` are the entries of the block's WINDOW clause.
Result<WindowCall> BindWindowCall(const ast::Call& call, SourceSpan span,
                                  const std::vector<ast::Window>& named, const Scope& scope,
                                  ExprHooks* hooks);

// Over private rows every window is of one unit's rows: PARTITION BY holds the unit. Where the
// order of rows decides, all that the block reads of a row follows in ORDER BY, so that rows that
// are still undecided are equal and it does not matter which comes first.
// Requires: the window's expressions are over `relation`, and so are `inputs`.
Status CheckUnitWindow(WindowCall& window, const Relation& relation,
                       const std::vector<BoundExprPtr>& inputs, SourceSpan span);

// The same order for a window over public rows, where the rows can be told apart; else it is marked
// as one whose result may differ between two readings.
void SettleWindow(WindowCall& window, const std::vector<BoundExprPtr>& inputs);

}  // namespace dpsql
