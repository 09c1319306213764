#include "backend/linked_door.h"

#include <algorithm>
#include <utility>

#include "backend/duckdb_cells.h"
#include "backend/lower_node.h"
#include "backend/tree.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

bool Reads(const BoundExpr& expr, std::size_t scan) {
  if (expr.kind == BoundKind::kColumn || expr.kind == BoundKind::kExists) {
    if (expr.column.scan == scan) return true;
  }
  return std::any_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& argument) { return Reads(*argument, scan); });
}

bool AnyReads(const std::vector<BoundExprPtr>& exprs, std::size_t scan) {
  return std::any_of(exprs.begin(), exprs.end(),
                     [&](const BoundExprPtr& expr) { return Reads(*expr, scan); });
}

// Whether anything but the relation's conditions and its owner names a column of the scan.
bool ReadElsewhere(const Door& door, std::size_t scan) {
  for (const Scan& other : door.query->relation.scans) {
    if (AnyReads(other.on, scan)) return true;
  }
  for (const BoundKey& key : door.query->keys) {
    if (Reads(*key.expr, scan)) return true;
  }
  for (const Statistic& statistic : door.statistics) {
    for (const BoundedArgument& argument : statistic.arguments) {
      if (Reads(*argument.expr, scan)) return true;
    }
  }
  return std::any_of(door.classes.begin(), door.classes.end(), [&](const CellClass& cell_class) {
    return AnyReads(cell_class.present, scan);
  });
}

// The two sides of child.key = parent.key.
struct LinkCondition {
  BoundExprPtr child;
  BoundExprPtr parent;
};

std::optional<LinkCondition> ReadLink(const BoundExpr& condition, const BoundDoor& query,
                                      std::size_t parent) {
  if (condition.kind != BoundKind::kCall || condition.function != "=") return std::nullopt;
  LinkCondition link{condition.arguments[0], condition.arguments[1]};
  if (link.child->kind != BoundKind::kColumn || link.parent->kind != BoundKind::kColumn) {
    return std::nullopt;
  }
  if (link.child->column.scan == parent) std::swap(link.child, link.parent);
  if (link.child->column.scan == parent || link.parent->column.scan != parent) return std::nullopt;
  const std::vector<Scan>& scans = query.relation.scans;
  if (scans[link.child->column.scan].role != ScanRole::kInner) return std::nullopt;
  if (!query.table(scans[parent]).IsUnique({link.parent->column.column})) return std::nullopt;
  const std::string& type = link.parent->type.name;
  const std::string& unit = query.column(query.relation.owner->column).type.name;
  if (link.child->type.name != type || !LinksTake(type, unit)) return std::nullopt;
  return link;
}

}  // namespace

std::optional<LinkedDoor> WithoutParent(const Door& door, Keys keys) {
  if (keys != Keys::kEnforced || door.rows_are_units) return std::nullopt;
  const Relation& relation = door.query->relation;
  const BoundColumn owner = relation.owner->column;
  const Scan& parent = relation.scans[owner.scan];
  if (parent.node || parent.role != ScanRole::kInner) return std::nullopt;
  if (ReadElsewhere(door, owner.scan)) return std::nullopt;
  std::vector<BoundExprPtr> others;
  std::vector<BoundExprPtr> naming;
  for (const BoundExprPtr& condition : relation.conditions) {
    (Reads(*condition, owner.scan) ? naming : others).push_back(condition);
  }
  if (naming.size() != 1) return std::nullopt;
  const std::optional<LinkCondition> link = ReadLink(*naming[0], *door.query, owner.scan);
  if (!link) return std::nullopt;
  LinkedDoor linked{.query = door.query, .door = door, .parent = {}, .parent_key = nullptr};
  auto query = std::make_shared<BoundDoor>(*door.query);
  query->relation.scans[owner.scan].role = ScanRole::kTested;  // and nothing tests it
  query->relation.conditions = std::move(others);
  query->relation.owner->column = link->child->column;
  linked.door.query = std::move(query);
  linked.parent.scans = {parent};
  linked.parent.owner = Owner{relation.owner->kind, {.scan = 0, .column = owner.column}};
  auto key = std::make_shared<BoundExpr>(*link->parent);
  key->column.scan = 0;
  linked.parent_key = std::move(key);
  return linked;
}

std::string PrintLinks(const LinkedDoor& linked, std::int64_t id) {
  const LowerScope scope{linked.parent, *linked.query->catalog, *linked.door.numbers};
  std::vector<ast::ExprPtr> pair;
  pair.push_back(LowerExpr(*linked.parent_key, scope));
  pair.push_back(LowerOwner(scope));
  ast::Select pass;
  pass.items.push_back(
      {.expr = tree::Call("links", tree::Whole(id), tree::CallOf("row of values", std::move(pair))),
       .alias = ""});
  pass.from = LowerFrom(scope);
  std::vector<ast::ExprPtr> conditions = LowerConditions(scope);
  conditions.push_back(tree::IsNotNull(LowerExpr(*linked.parent_key, scope)));
  pass.where = tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
  return PrintSelect(pass, DuckDbDialect());
}

}  // namespace dpsql
