#include "validate/check_placed.h"

#include "base/check.h"

namespace dpsql {
namespace {

class PlacedChecker {
 public:
  explicit PlacedChecker(const Catalog& catalog) : catalog_(catalog) {}

  void Node(const QueryNode& node) const {
    std::visit([&](const auto& body) { Body(body); }, node.body);
  }

 private:
  void Body(const Projection& body) const {
    Rows(body.relation);
    Exprs(body.columns, body.relation);
    Orders(body.order_by, body.relation);
  }

  void Body(const Grouping& body) const {
    Rows(body.relation);
    Exprs(body.keys, body.relation);
    for (const ExactAggregate& aggregate : body.aggregates) {
      if (aggregate.argument) Expr(*aggregate.argument, body.relation);
    }
  }

  void Body(const Windowing& body) const {
    Rows(body.relation);
    Exprs(body.inputs, body.relation);
    for (const WindowCall& window : body.windows) {
      Exprs(window.arguments, body.relation);
      Exprs(window.partition_by, body.relation);
      Orders(window.order_by, body.relation);
    }
  }

  void Body(const SetOperation& body) const {
    Node(*body.left);
    Node(*body.right);
  }

  void Body(const Release& body) const {
    const BoundDoor& door = *body.door;
    Check(door.relation.owner.has_value(), "a door opens on private rows");
    Rows(door.relation);
    for (const BoundKey& key : door.keys) Expr(*key.expr, door.relation);
    for (const BoundAggregate& aggregate : door.aggregates) {
      for (const BoundedArgument& argument : aggregate.arguments) {
        Expr(*argument.expr, door.relation);
      }
    }
  }

  void Rows(const Relation& relation) const {
    for (const Scan& scan : relation.scans) {
      if (scan.node) Node(*scan.node);
      Conditions(scan.on, relation);
    }
    Conditions(relation.conditions, relation);
  }

  // A database would cast another value to a boolean, and fail on a row.
  void Conditions(const std::vector<BoundExprPtr>& conditions, const Relation& relation) const {
    for (const BoundExprPtr& condition : conditions) {
      Check(condition->type.family == TypeFamily::kBoolean, "a condition is true or false");
      Expr(*condition, relation);
    }
  }

  void Exprs(const std::vector<BoundExprPtr>& exprs, const Relation& relation) const {
    for (const BoundExprPtr& expr : exprs) Expr(*expr, relation);
  }

  void Orders(const std::vector<BoundOrder>& orders, const Relation& relation) const {
    for (const BoundOrder& order : orders) Expr(*order.expr, relation);
  }

  void Expr(const BoundExpr& expr, const Relation& relation) const {
    const bool leaf = expr.kind == BoundKind::kColumn || expr.kind == BoundKind::kExists;
    if (leaf) {
      Check(expr.column.scan < relation.scans.size(), "an expression reads its own relation");
      const Scan& scan = relation.scans[expr.column.scan];
      Check(expr.column.column < TableOf(scan, catalog_).columns.size(), "a column is there");
      const bool tested = scan.role == ScanRole::kTested;
      Check(expr.kind != BoundKind::kExists || tested, "what is tested is not joined");
    }
    for (const BoundExprPtr& argument : expr.arguments) Expr(*argument, relation);
  }

  const Catalog& catalog_;
};

}  // namespace

void CheckPlaced(const QueryNode& node, const Catalog& catalog) {
  PlacedChecker(catalog).Node(node);
}

}  // namespace dpsql
