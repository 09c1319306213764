#include <algorithm>
#include <sstream>

#include "validate/bound_query.h"

namespace dpsql {
namespace {

std::string LiteralText(const Value& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return "NULL"; }
    std::string operator()(bool flag) const { return flag ? "TRUE" : "FALSE"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const {
      std::ostringstream text;
      text.precision(17);
      text << number;
      return text.str();
    }
    std::string operator()(const std::string& text) const {
      std::string quoted = "'";
      for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
      return quoted + "'";
    }
  };
  return std::visit(Printer{}, value);
}

}  // namespace

const CatalogTable& TableOf(const Scan& scan, const Catalog& catalog) {
  return scan.derived ? scan.derived->table : catalog.table(scan.table);
}

bool SameExpr(const BoundExpr& a, const BoundExpr& b) {
  return a.kind == b.kind && a.type == b.type && a.literal == b.literal && a.column == b.column &&
         a.function == b.function &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const BoundExprPtr& x, const BoundExprPtr& y) { return SameExpr(*x, *y); });
}

std::string Describe(const BoundExpr& expr, const Relation& relation, const Catalog& catalog) {
  if (expr.kind == BoundKind::kLiteral) return LiteralText(expr.literal);
  if (expr.kind == BoundKind::kColumn) {
    const Scan& scan = relation.scans.at(expr.column.scan);
    return scan.alias + "." + TableOf(scan, catalog).columns.at(expr.column.column).name;
  }
  std::vector<std::string> arguments;
  for (const BoundExprPtr& argument : expr.arguments) {
    arguments.push_back(Describe(*argument, relation, catalog));
  }
  return WriteCall(expr.function, arguments);
}

std::string Describe(const BoundExpr& expr, const BoundQuery& query) {
  return Describe(expr, query.relation(), query.catalog());
}

}  // namespace dpsql
