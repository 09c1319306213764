#include "plan/public_keys.h"

#include <algorithm>
#include <utility>

namespace dpsql {
namespace {

bool IsPublic(const Scan& scan, const Catalog& catalog) {
  return scan.role == ScanRole::kInner && !scan.node && TableOf(scan, catalog).is_public;
}

// Whether an expression reads columns of these scans only.
bool ReadsOnly(const BoundExpr& expr, const std::vector<bool>& scans) {
  if (expr.kind == BoundKind::kExists) return false;
  if (expr.kind == BoundKind::kColumn) return scans.at(expr.column.scan);
  return std::all_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& argument) { return ReadsOnly(*argument, scans); });
}

}  // namespace

std::optional<Relation> PublicKeysOf(const BoundDoor& door) {
  std::vector<bool> is_public;
  for (const Scan& scan : door.relation.scans) is_public.push_back(IsPublic(scan, *door.catalog));
  bool any = false;
  for (const BoundKey& key : door.keys) {
    if (!key.values.empty()) continue;
    const bool column = key.expr->kind == BoundKind::kColumn;
    if (!column || !is_public.at(key.expr->column.scan)) return std::nullopt;
    any = true;
  }
  if (!any) return std::nullopt;
  Relation part;
  part.scans = door.relation.scans;
  for (std::size_t i = 0; i < part.scans.size(); ++i) {
    if (!is_public[i]) part.scans[i].role = ScanRole::kTested;
  }
  for (const BoundExprPtr& condition : door.relation.conditions) {
    if (ReadsOnly(*condition, is_public)) part.conditions.push_back(condition);
  }
  return part;
}

}  // namespace dpsql
