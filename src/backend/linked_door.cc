#include "backend/linked_door.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "backend/lower_node.h"
#include "backend/tree.h"

namespace dpsql {

bool LinksTake(const std::string& key_type, const std::string& unit_type) {
  constexpr auto kWhole = std::to_array<std::string_view>(
      {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"});
  const auto is_whole = [&](const std::string& type) {
    return std::find(kWhole.begin(), kWhole.end(), type) != kWhole.end();
  };
  return is_whole(key_type) && is_whole(unit_type);
}

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

bool ReadsOnly(const BoundExpr& expr, std::size_t scan) {
  if (expr.kind == BoundKind::kExists) return false;
  if (expr.kind == BoundKind::kColumn && expr.column.scan != scan) return false;
  return std::all_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& argument) { return ReadsOnly(*argument, scan); });
}

// The same expression where its one scan is the first.
BoundExprPtr OfFirstScan(const BoundExpr& expr) {
  auto moved = std::make_shared<BoundExpr>(expr);
  moved->column.scan = 0;
  for (BoundExprPtr& argument : moved->arguments) argument = OfFirstScan(*argument);
  return moved;
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

std::optional<LinkedDoor> WithoutScan(const Door& door, std::size_t at) {
  const Relation& relation = door.query->relation;
  const Scan& parent = relation.scans[at];
  const BoundColumn owner = relation.owner->column;
  if (parent.node || parent.role != ScanRole::kInner) return std::nullopt;
  if (ReadElsewhere(door, at)) return std::nullopt;
  LinkedDoor linked{.query = door.query, .door = door, .parent = {}, .parent_key = nullptr};
  std::vector<BoundExprPtr> others;
  std::optional<LinkCondition> link;
  for (const BoundExprPtr& condition : relation.conditions) {
    if (!Reads(*condition, at)) {
      others.push_back(condition);
    } else if (ReadsOnly(*condition, at)) {
      linked.parent.conditions.push_back(OfFirstScan(*condition));
    } else if (link || !(link = ReadLink(*condition, *door.query, at))) {
      return std::nullopt;
    }
  }
  if (!link) return std::nullopt;
  if (owner.scan != at && !(link->child->column == owner)) return std::nullopt;
  const std::size_t unit = owner.scan == at ? owner.column : link->parent->column.column;
  auto query = std::make_shared<BoundDoor>(*door.query);
  query->relation.scans[at].role = ScanRole::kTested;  // and nothing tests it
  query->relation.conditions = std::move(others);
  query->relation.owner->column = link->child->column;
  linked.door.query = std::move(query);
  linked.parent.scans = {parent};
  linked.parent.owner = Owner{relation.owner->kind, {.scan = 0, .column = unit}};
  linked.parent_key = OfFirstScan(*link->parent);
  return linked;
}

}  // namespace

std::optional<LinkedDoor> WithoutParent(const Door& door, Keys keys) {
  if (keys != Keys::kEnforced || door.rows_are_units) return std::nullopt;
  for (std::size_t scan = 0; scan < door.query->relation.scans.size(); ++scan) {
    if (std::optional<LinkedDoor> linked = WithoutScan(door, scan)) return linked;
  }
  return std::nullopt;
}

ast::Select LowerLinks(const LinkedDoor& linked, std::int64_t id) {
  const LowerScope scope{linked.parent, *linked.query->catalog, *linked.door.numbers};
  ast::Select pass;
  pass.items.push_back({.expr = tree::Call("rows handed over", tree::Whole(id),
                                           LowerExpr(*linked.parent_key, scope), LowerOwner(scope)),
                        .alias = ""});
  pass.from = LowerFrom(scope);
  std::vector<ast::ExprPtr> conditions = LowerConditions(scope);
  conditions.push_back(tree::IsNotNull(LowerExpr(*linked.parent_key, scope)));
  pass.where = tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
  return pass;
}

}  // namespace dpsql
