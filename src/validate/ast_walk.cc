#include "validate/ast_walk.h"

#include <vector>

namespace dpsql {
namespace {

using Parts = std::vector<const ast::Expr*>;

void Add(const ast::ExprPtr& part, Parts& parts) {
  if (part) parts.push_back(part.get());
}

void Add(const std::vector<ast::ExprPtr>& list, Parts& parts) {
  for (const ast::ExprPtr& part : list) Add(part, parts);
}

void Add(const std::vector<ast::OrderItem>& list, Parts& parts) {
  for (const ast::OrderItem& item : list) Add(item.expr, parts);
}

// Leaves: literals, names, and subqueries but for what they are compared with.
template <typename Leaf>
void AddParts(const Leaf&, Parts&) {}

void AddParts(const ast::Subquery& node, Parts& parts) { Add(node.test, parts); }
void AddParts(const ast::Logic& node, Parts& parts) { Add(node.operands, parts); }
void AddParts(const ast::Test& node, Parts& parts) { Add(node.operand, parts); }
void AddParts(const ast::Cast& node, Parts& parts) { Add(node.operand, parts); }
void AddParts(const ast::Row& node, Parts& parts) { Add(node.items, parts); }

void AddParts(const ast::Call& node, Parts& parts) {
  for (const ast::Argument& argument : node.arguments) Add(argument.value, parts);
  Add(node.order_by, parts);
  Add(node.filter, parts);
  if (!node.over) return;
  Add(node.over->partition_by, parts);
  Add(node.over->order_by, parts);
}

void AddParts(const ast::Between& node, Parts& parts) {
  Add(node.operand, parts);
  Add(node.low, parts);
  Add(node.high, parts);
}

void AddParts(const ast::InList& node, Parts& parts) {
  Add(node.operand, parts);
  Add(node.items, parts);
}

void AddParts(const ast::Case& node, Parts& parts) {
  Add(node.operand, parts);
  for (const ast::WhenClause& clause : node.when) {
    Add(clause.condition, parts);
    Add(clause.result, parts);
  }
  Add(node.otherwise, parts);
}

}  // namespace

bool AnyAstPart(const ast::Expr& expr, const std::function<bool(const ast::Expr&)>& predicate) {
  if (predicate(expr)) return true;
  Parts parts;
  std::visit([&](const auto& node) { AddParts(node, parts); }, expr.node);
  for (const ast::Expr* part : parts) {
    if (AnyAstPart(*part, predicate)) return true;
  }
  return false;
}

}  // namespace dpsql
