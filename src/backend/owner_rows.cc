#include "backend/owner_rows.h"

#include <algorithm>
#include <set>

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

}  // namespace dpsql
