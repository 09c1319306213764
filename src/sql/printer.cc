#include "sql/printer.h"

#include "sql/print_query.h"

namespace dpsql {

std::string PrintSelect(const ast::Select& select, const Dialect& dialect) {
  return QueryPrinter(dialect).Print(select);
}

std::string PrintExpr(const ast::Expr& expr, const Dialect& dialect) {
  return QueryPrinter(dialect).Print(expr);
}

}  // namespace dpsql
