#pragma once

#include <string>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/scope.h"

// What a select list says before it is bound.
namespace dpsql {

// The name PostgreSQL would give a column without an alias.
std::string DefaultName(const ast::Expr& expr);

// The expression a GROUP BY item means. GROUP BY 1 and GROUP BY an output's alias mean the one in
// the select list; a column of the same name comes first, as in PostgreSQL.
Result<const ast::Expr*> GroupExpr(const ast::Expr& expr, const ast::Select& select,
                                   const Scope& scope);

}  // namespace dpsql
