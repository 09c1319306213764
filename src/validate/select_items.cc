#include "validate/select_items.h"

#include "base/error_codes.h"
#include "base/names.h"

namespace dpsql {

std::string DefaultName(const ast::Expr& expr) {
  if (const auto* column = std::get_if<ast::ColumnRef>(&expr.node)) return column->parts.back();
  if (const auto* call = std::get_if<ast::Call>(&expr.node); call && !call->is_operator) {
    return call->name;
  }
  return "?column?";
}

Result<const ast::Expr*> GroupExpr(const ast::Expr& expr, const ast::Select& select,
                                   const Scope& scope) {
  if (const auto* number = std::get_if<ast::Number>(&expr.node)) {
    for (std::size_t i = 0; i < select.items.size(); ++i) {
      if (number->text == std::to_string(i + 1)) return select.items[i].expr.get();
    }
    return MakeError(ErrorCode::kUnknownColumn, "the select list has no such position", expr.span);
  }
  const auto* column = std::get_if<ast::ColumnRef>(&expr.node);
  if (column == nullptr || column->parts.size() != 1) return &expr;
  if (scope.Knows(*column)) return &expr;
  for (const ast::SelectItem& item : select.items) {
    if (SameName(item.alias, column->parts[0])) return item.expr.get();
  }
  return &expr;
}

}  // namespace dpsql
