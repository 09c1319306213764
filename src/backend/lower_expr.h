#pragma once

#include <string>

#include "dpsql/result.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"
#include "sql/dialect.h"

namespace dpsql {

// The alias of a scan in the SQL that we print.
std::string ScanName(std::size_t scan);

// A row expression with every column qualified by its scan. Total: overflow and NaN are NULL.
ast::ExprPtr LowerExpr(const BoundExpr& expr, const BoundQuery& query);

// The argument of an aggregate: numbers as DOUBLE, so that presence and value agree on NaN.
ast::ExprPtr LowerArgument(const BoundExpr& argument, const BoundQuery& query);

// Refuses an expression with a function that this database cannot do for every value, with the
// reason.
Status RefuseUnprintable(const BoundExpr& expr, const Dialect& dialect);

}  // namespace dpsql
