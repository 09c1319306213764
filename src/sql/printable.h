#pragma once

#include "dpsql/result.h"
#include "sql/ast.h"
#include "sql/dialect.h"

namespace dpsql {

// Refuses a tree with a function or a type that this database does not have as we mean it, with the
// reason, or with more columns than it takes; `more` may come to each SELECT. What passes can be
// printed: PrintSelect takes a missing one for a bug.
Status RefuseUnprintable(const ast::Select& select, const Dialect& dialect, std::size_t more = 0);
Status RefuseUnprintable(const ast::Expr& expr, const Dialect& dialect);

}  // namespace dpsql
