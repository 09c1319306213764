#pragma once

#include <string>

#include "sql/ast.h"

namespace dpsql {

class Dialect;

// Writes a tree as SQL for one database. Identifiers are always quoted, operators always in
// parentheses, and a function that the dialect does not list is a bug (Check), so that no text of
// an analyst reaches a database.
std::string PrintSelect(const ast::Select& select, const Dialect& dialect);
std::string PrintExpr(const ast::Expr& expr, const Dialect& dialect);

}  // namespace dpsql
