#include "plan/public_keys.h"

#include <algorithm>
#include <utility>

namespace dpsql {
namespace {

// As many as a query over public tables alone may have (V322).
constexpr std::size_t kMostWideScans = 4;

// One flag for each scan of the door.
using ScanSet = std::vector<bool>;
using Conditions = std::vector<BoundExprPtr>;

bool IsPublic(const Scan& scan, const Catalog& catalog) {
  return scan.role == ScanRole::kInner && !scan.node && TableOf(scan, catalog).is_public;
}

// Whether an expression reads columns of these scans only.
bool ReadsOnly(const BoundExpr& expr, const ScanSet& scans) {
  if (expr.kind == BoundKind::kExists) return false;
  if (expr.kind == BoundKind::kColumn) return scans.at(expr.column.scan);
  return std::all_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& argument) { return ReadsOnly(*argument, scans); });
}

bool ReadsAny(const BoundExpr& expr, const ScanSet& scans) {
  if (expr.kind == BoundKind::kColumn) return scans.at(expr.column.scan);
  return std::any_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& argument) { return ReadsAny(*argument, scans); });
}

void AddScans(const BoundExpr& expr, ScanSet& scans) {
  if (expr.kind == BoundKind::kColumn) scans.at(expr.column.scan) = true;
  for (const BoundExprPtr& argument : expr.arguments) AddScans(*argument, scans);
}

Conditions ConditionsOn(const Conditions& conditions, const ScanSet& scans) {
  Conditions own;
  std::copy_if(conditions.begin(), conditions.end(), std::back_inserter(own),
               [&](const BoundExprPtr& condition) { return ReadsOnly(*condition, scans); });
  return own;
}

// The scans that conditions connect with the one in the set.
ScanSet Connected(ScanSet scans, const Conditions& conditions) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const BoundExprPtr& condition : conditions) {
      if (!ReadsAny(*condition, scans) || ReadsOnly(*condition, scans)) continue;
      AddScans(*condition, scans);
      grown = true;
    }
  }
  return scans;
}

// A list of keys, and how many of its scans multiply rows.
class KeyList {
 public:
  KeyList(const BoundDoor& door, const ScanSet& scans, const Conditions& conditions)
      : catalog_(*door.catalog), scans_(scans) {
    relation_.scans = door.relation.scans;
    for (std::size_t i = 0; i < scans.size(); ++i) {
      if (!scans[i]) relation_.scans[i].role = ScanRole::kTested;
    }
    relation_.conditions = ConditionsOn(conditions, scans);
  }

  // Scans that no unique key reaches come first; from them the others follow, or widen the join.
  std::size_t WideScans() const {
    std::size_t wide = 0;
    ScanSet reached(scans_.size(), false);
    for (const bool from_others : {false, true}) {
      for (std::size_t i = 0; i < scans_.size(); ++i) {
        if (!scans_[i] || reached[i] || (!from_others && ReachedByKey(i, scans_))) continue;
        reached[i] = true;
        ++wide;
        Follow(reached);
      }
    }
    return wide;
  }

  Relation relation() && { return std::move(relation_); }

 private:
  void Follow(ScanSet& reached) const {
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < scans_.size(); ++i) {
        if (!scans_[i] || reached[i] || !ReachedByKey(i, reached)) continue;
        reached[i] = true;
        grown = true;
      }
    }
  }

  // Whether a unique key of the scan is equated, column by column, with columns of `from`.
  bool ReachedByKey(std::size_t scan, const ScanSet& from) const {
    const auto& keys = TableOf(relation_.scans[scan], catalog_).unique_keys;
    const auto fixed = [&](std::size_t column) { return IsEquated({scan, column}, from); };
    return std::any_of(keys.begin(), keys.end(), [&](const std::vector<std::size_t>& key) {
      return std::all_of(key.begin(), key.end(), fixed);
    });
  }

  bool IsEquated(BoundColumn column, const ScanSet& from) const {
    const auto is_column = [&](const BoundExpr& expr) {
      return expr.kind == BoundKind::kColumn && expr.column == column;
    };
    const auto is_other = [&](const BoundExpr& expr) {
      return expr.kind == BoundKind::kColumn && expr.column.scan != column.scan &&
             from[expr.column.scan];
    };
    return std::any_of(relation_.conditions.begin(), relation_.conditions.end(),
                       [&](const BoundExprPtr& one) {
                         if (one->kind != BoundKind::kCall || one->function != "=") return false;
                         const BoundExpr& x = *one->arguments[0];
                         const BoundExpr& y = *one->arguments[1];
                         return x.type == y.type &&
                                ((is_column(x) && is_other(y)) || (is_column(y) && is_other(x)));
                       });
  }

  const Catalog& catalog_;
  ScanSet scans_;
  Relation relation_;
};

}  // namespace

std::size_t MostPublicKeys(const std::vector<BoundKey>& keys) {
  std::size_t most = kMostKnownKeys;
  for (const BoundKey& key : keys) most /= std::max<std::size_t>(1, key.values.size());
  return most;
}

std::vector<std::size_t> KeysOf(const Relation& list, const std::vector<BoundKey>& keys) {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].values.empty()) continue;
    if (list.scans.at(keys[i].expr->column.scan).role == ScanRole::kInner) own.push_back(i);
  }
  return own;
}

std::vector<Relation> PublicKeysOf(const BoundDoor& door) {
  const std::vector<Scan>& scans = door.relation.scans;
  ScanSet is_public;
  for (const Scan& scan : scans) is_public.push_back(IsPublic(scan, *door.catalog));
  if (MostPublicKeys(door.keys) == 0) return {};
  const Conditions conditions = ConditionsOn(door.relation.conditions, is_public);
  std::vector<Relation> lists;
  ScanSet listed(scans.size(), false);
  for (const BoundKey& key : door.keys) {
    if (!key.values.empty()) continue;
    const std::size_t scan = key.expr->column.scan;
    if (key.expr->kind != BoundKind::kColumn || !is_public.at(scan)) return {};
    if (listed[scan]) continue;
    ScanSet alone(scans.size(), false);
    alone[scan] = true;
    const ScanSet group = Connected(std::move(alone), conditions);
    for (std::size_t i = 0; i < group.size(); ++i) listed[i] = listed[i] || group[i];
    KeyList list(door, group, conditions);
    if (list.WideScans() > kMostWideScans) return {};
    lists.push_back(std::move(list).relation());
  }
  return lists;
}

}  // namespace dpsql
