#include "publish/column_roles.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

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

// The noise of an estimate, which is a column of some release, handed on as it is.
Mechanism MechanismOf(const DpPlan& plan, const QueryNode& node, std::size_t column) {
  if (const auto* release = std::get_if<Release>(&node.body)) {
    const Door& door = plan.doors()[plan.door_numbers().at(release->door.get())];
    const Reading& reading = door.readings.at(column - release->door->keys.size());
    return door.statistics[reading.statistic].mechanism;
  }
  if (const auto* operation = std::get_if<SetOperation>(&node.body)) {
    return MechanismOf(plan, *operation->left, column);
  }
  const Relation& relation = *RelationOf(node);
  const BoundExpr* expr = nullptr;
  if (const auto* body = std::get_if<Projection>(&node.body)) expr = body->columns[column].get();
  if (const auto* body = std::get_if<Grouping>(&node.body)) expr = body->keys[column].get();
  if (const auto* body = std::get_if<Windowing>(&node.body)) expr = body->inputs[column].get();
  Check(expr != nullptr && expr->kind == BoundKind::kColumn, "an estimate is a column");
  return MechanismOf(plan, *relation.scans[expr->column.scan].node, expr->column.column);
}

}  // namespace

std::vector<AnswerColumn> AnswerColumns(const DpPlan& plan) {
  std::vector<AnswerColumn> columns;
  const QueryNode& root = plan.query().root();
  const std::vector<CatalogColumn>& described = root.table.columns;
  for (std::size_t i = 0; i < described.size(); ++i) {
    const ColumnRole role = RoleOf(root, i);
    AnswerColumn column{
        .name = described[i].name, .type = described[i].type.name, .role = role, .mechanism = ""};
    if (role == ColumnRole::kEstimate) column.mechanism = Name(MechanismOf(plan, root, i));
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace dpsql
