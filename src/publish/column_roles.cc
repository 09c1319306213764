#include "publish/column_roles.h"

#include <algorithm>

namespace dpsql {
namespace {

ColumnRole RoleOf(const QueryNode& node, std::size_t column);

// Of what is computed from several: what an estimate touches is derived.
ColumnRole Computed(ColumnRole a, ColumnRole b) {
  const auto estimates = [](ColumnRole role) {
    return role == ColumnRole::kEstimate || role == ColumnRole::kDerived;
  };
  if (estimates(a) || estimates(b)) return ColumnRole::kDerived;
  return a == ColumnRole::kKey || b == ColumnRole::kKey ? ColumnRole::kKey : ColumnRole::kPublic;
}

ColumnRole RoleOf(const BoundExpr& expr, const Relation& relation) {
  if (expr.kind == BoundKind::kExists) return ColumnRole::kDerived;
  if (expr.kind == BoundKind::kColumn) {
    const Scan& scan = relation.scans.at(expr.column.scan);
    return scan.node ? RoleOf(*scan.node, expr.column.column) : ColumnRole::kPublic;
  }
  ColumnRole role = ColumnRole::kPublic;
  for (const BoundExprPtr& argument : expr.arguments) {
    role = Computed(role, RoleOf(*argument, relation));
  }
  return role;
}

struct NodeRoles {
  std::size_t column;

  ColumnRole operator()(const Projection& body) const {
    return RoleOf(*body.columns[column], body.relation);
  }
  ColumnRole operator()(const Grouping& body) const {
    if (column < body.keys.size()) return RoleOf(*body.keys[column], body.relation);
    const bool released = std::any_of(body.relation.scans.begin(), body.relation.scans.end(),
                                      [](const Scan& scan) { return scan.node != nullptr; });
    return released ? ColumnRole::kDerived : ColumnRole::kPublic;
  }
  ColumnRole operator()(const Windowing& body) const {
    if (column < body.inputs.size()) return RoleOf(*body.inputs[column], body.relation);
    return ColumnRole::kDerived;
  }
  ColumnRole operator()(const SetOperation& body) const {
    const ColumnRole left = RoleOf(*body.left, column);
    const ColumnRole right = RoleOf(*body.right, column);
    return left == right ? left : Computed(left, right);
  }
  ColumnRole operator()(const Release& body) const {
    return column < body.door->keys.size() ? ColumnRole::kKey : ColumnRole::kEstimate;
  }
};

ColumnRole RoleOf(const QueryNode& node, std::size_t column) {
  return std::visit(NodeRoles{column}, node.body);
}

}  // namespace

std::vector<AnswerColumn> AnswerColumns(const BoundQuery& query) {
  std::vector<AnswerColumn> columns;
  const std::vector<CatalogColumn>& described = query.root().table.columns;
  for (std::size_t i = 0; i < described.size(); ++i) {
    const ColumnRole role = RoleOf(query.root(), i);
    const bool noisy = role == ColumnRole::kEstimate;
    columns.push_back({.name = described[i].name,
                       .type = described[i].type.name,
                       .role = role,
                       .mechanism = noisy ? "gaussian" : ""});
  }
  return columns;
}

}  // namespace dpsql
