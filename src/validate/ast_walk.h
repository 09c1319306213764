#pragma once

#include <functional>

#include "sql/ast.h"

namespace dpsql {

// Whether some part of an expression fulfils the predicate: its arguments, windows and conditions,
// but not what is inside a subquery, which is a block of its own.
bool AnyAstPart(const ast::Expr& expr, const std::function<bool(const ast::Expr&)>& predicate);

}  // namespace dpsql
