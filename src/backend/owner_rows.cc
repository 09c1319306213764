#include "backend/owner_rows.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace dpsql {
namespace {

bool IsUnit(BoundColumn at, const RelationView& view) {
  return view.table(view.relation.scans[at.scan]).unit_column == at.column;
}

// Whether `child` is a foreign key of a declared link, and `parent` the key that it leads to.
bool IsLink(BoundColumn child, BoundColumn parent, const RelationView& view) {
  const auto& link = view.table(view.relation.scans[child.scan]).link;
  if (!link || view.relation.scans[parent.scan].table != link->parent_table) return false;
  for (std::size_t i = 0; i < link->columns.size(); ++i) {
    if (link->columns[i] == child.column && link->parent_columns[i] == parent.column) return true;
  }
  return false;
}

bool OwnerJoins(const BoundExpr& condition, const RelationView& view) {
  const bool equates = condition.kind == BoundKind::kCall && condition.function == "=" &&
                       condition.arguments.size() == 2 &&
                       condition.arguments[0]->kind == BoundKind::kColumn &&
                       condition.arguments[1]->kind == BoundKind::kColumn;
  if (!equates) return false;
  const BoundColumn a = condition.arguments[0]->column;
  const BoundColumn b = condition.arguments[1]->column;
  return (IsUnit(a, view) && IsUnit(b, view)) || IsLink(a, b, view) || IsLink(b, a, view);
}

// Whether the conditions lead from every table to every other: without that the rows are a cross
// product. Requires: each equates two columns.
bool Connects(const Relation& relation) {
  std::vector<std::size_t> part(relation.scans.size());
  std::iota(part.begin(), part.end(), std::size_t{0});
  for (const BoundExprPtr& condition : relation.conditions) {
    const std::size_t from = part[condition->arguments[0]->column.scan];
    const std::size_t to = part[condition->arguments[1]->column.scan];
    std::replace(part.begin(), part.end(), from, to);
  }
  return std::all_of(part.begin(), part.end(), [&](std::size_t one) { return one == part[0]; });
}

}  // namespace

bool OwnerNamesRows(const Door& door) {
  const Relation& relation = door.query->relation;
  const RelationView view = door.query->view();
  std::set<std::size_t> tables;
  for (const Scan& scan : relation.scans) {
    const bool whole = !scan.node && scan.role == ScanRole::kInner;
    if (!whole || view.table(scan).is_public || !tables.insert(scan.table).second) return false;
  }
  return std::all_of(relation.conditions.begin(), relation.conditions.end(),
                     [&](const BoundExprPtr& condition) { return OwnerJoins(*condition, view); });
}

std::optional<Door> WithOwnersRows(const Door& door) {
  auto query = std::make_shared<BoundDoor>(*door.query);
  const RelationView view = door.query->view();
  std::erase_if(query->relation.conditions,
                [&](const BoundExprPtr& one) { return !OwnerJoins(*one, view); });
  query->keys.clear();
  Door whole = door;
  whole.query = std::move(query);
  if (!OwnerNamesRows(whole) || !Connects(whole.query->relation)) return std::nullopt;
  return whole;
}

}  // namespace dpsql
