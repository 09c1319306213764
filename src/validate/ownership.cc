#include "validate/ownership.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "validate/bind_expr.h"
#include "validate/rewrite.h"
#include "validate/scope.h"

namespace dpsql {
namespace {

class OwnershipResolver {
 public:
  OwnershipResolver(const Catalog& catalog, Relation& relation)
      : catalog_(catalog), relation_(relation) {}

  Status Resolve() {
    TRY_DONE(CheckOuterSides());
    TRY_DONE(CheckKinds());
    FollowLinks();
    relation_.determined.assign(relation_.scans.size(), false);
    const auto first = FirstPrivate();
    if (!first) {
      relation_.wide_scans = WideScans();
      return Done{};
    }
    TRY_DONE(CheckOneOwner(*first));
    relation_.owner = Owner{.kind = table(*first).kind, .column = UnitOf(*first)};
    FindUnitCopies();
    FindDetermined();
    relation_.wide_scans = WideScans();
    SetRowCap();
    return Done{};
  }

  // Adds an optional or tested scan to a relation whose owner is known.
  Status Attach(Scan scan) {
    const std::size_t at = relation_.scans.size();
    relation_.scans.push_back(std::move(scan));
    parents_.assign(relation_.scans.size(), std::nullopt);
    relation_.determined.push_back(false);
    if (is_private(at)) TRY_DONE(CheckAttached(at));
    for (std::size_t c = 0; c < table(at).columns.size(); ++c) {
      if (IsUnitCopy(at, c)) relation_.unit_copies.push_back({at, c});
    }
    // A test compares each row with each row of its own unit's, once more for each test.
    if (tested(at)) {
      const std::size_t wide = WideScans() + relation_.scans[at].node->wide_scans;
      relation_.wide_scans = std::max(relation_.wide_scans, wide);
    }
    const bool constant =
        table(at).is_public && table(at).IsUnique({}) && relation_.scans[at].on.empty();
    relation_.determined[at] = constant || (InnerDetermined() && OnDetermined(at) &&
                                            ReachedByKey(at, relation_.determined));
    return Done{};
  }

 private:
  const CatalogTable& table(std::size_t scan) const {
    return TableOf(relation_.scans[scan], catalog_);
  }
  bool is_private(std::size_t scan) const { return !table(scan).is_public; }
  bool inner(std::size_t scan) const { return relation_.scans[scan].role == ScanRole::kInner; }
  bool optional(std::size_t scan) const {
    return relation_.scans[scan].role == ScanRole::kOptional;
  }

  bool tested(std::size_t scan) const { return relation_.scans[scan].role == ScanRole::kTested; }

  // Asked by public rows, or without the unit, it would tell one unit's rows about another's.
  Status CheckAttached(std::size_t at) const {
    if (relation_.owner) TRY_DONE(CheckKinds());
    if (relation_.owner && IsTied(at)) return Done{};
    return NotComparedOnUnit(relation_.scans[at].span);
  }

  std::optional<std::size_t> FirstPrivate() const {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (is_private(i) && inner(i)) return i;
    }
    return std::nullopt;
  }

  // Unmatched public rows would appear when the last matching unit leaves: not unit-local.
  Status CheckOuterSides() const {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (!is_private(i) || inner(i)) continue;
      if (!FirstPrivate()) {
        return MakeError(
            ErrorCode::kNotJoinedOnUnit,
            "unmatched public rows would show that nobody in " + table(i).name + " matches them",
            relation_.scans[i].span,
            "use an inner JOIN, or GROUP BY the key and LEFT JOIN the released result");
      }
      Check(table(i).unit_column.has_value(), "an optional scan has its unit at hand");
    }
    return Done{};
  }

  Status CheckKinds() const {
    const auto first = FirstPrivate();
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (!is_private(i) || table(i).kind == table(*first).kind) continue;
      return MakeError(ErrorCode::kMixedUnits,
                       table(*first).name + " protects each " + table(*first).kind + ", " +
                           table(i).name + " each " + table(i).kind +
                           ": a joined row would belong to two of them",
                       relation_.scans[i].span);
    }
    return Done{};
  }

  // The two columns that a top-level condition equates, where it does.
  std::optional<std::pair<BoundExpr, BoundExpr>> Equality(const BoundExpr& condition) const {
    if (condition.function != "=") return std::nullopt;
    const BoundExpr& x = *condition.arguments[0];
    const BoundExpr& y = *condition.arguments[1];
    if (!IsScanColumn(x) || !IsScanColumn(y)) return std::nullopt;
    return std::pair(x, y);
  }

  bool IsScanColumn(const BoundExpr& expr) const {
    return expr.kind == BoundKind::kColumn && expr.column.scan < relation_.scans.size();
  }

  // Whether some condition of the list equates bare columns x and y of one exact type for which
  // `holds(x, y)`, in either order.
  template <typename Holds>
  bool AnyEquality(const std::vector<BoundExprPtr>& conditions, Holds holds) const {
    return std::any_of(conditions.begin(), conditions.end(), [&](const BoundExprPtr& condition) {
      const auto pair = Equality(*condition);
      if (!pair || pair->first.type != pair->second.type) return false;
      const BoundColumn x = pair->first.column;
      const BoundColumn y = pair->second.column;
      return holds(x, y) || holds(y, x);
    });
  }

  // The conditions under which a scan is joined: only an inner one shares those of the relation.
  const std::vector<BoundExprPtr>& ConditionsOf(std::size_t scan) const {
    return inner(scan) ? relation_.conditions : relation_.scans[scan].on;
  }

  bool Equated(BoundColumn a, BoundColumn b) const {
    const std::size_t joined = inner(a.scan) ? b.scan : a.scan;
    return AnyEquality(ConditionsOf(joined),
                       [&](BoundColumn x, BoundColumn y) { return x == a && y == b; });
  }

  // Whether two scans name the same row of a parent table by its unique key: one owner owns it.
  bool ShareParentRow(std::size_t a, std::size_t b) const {
    for (const OwnerKey& x : table(a).owner_keys) {
      for (const OwnerKey& y : table(b).owner_keys) {
        if (x.parent_table == y.parent_table && SameKey(a, x, b, y)) return true;
      }
    }
    return false;
  }

  bool SameKey(std::size_t a, const OwnerKey& x, std::size_t b, const OwnerKey& y) const {
    if (x.columns.size() != y.columns.size()) return false;
    for (std::size_t i = 0; i < x.columns.size(); ++i) {
      const auto at =
          std::find(y.parent_columns.begin(), y.parent_columns.end(), x.parent_columns[i]);
      if (at == y.parent_columns.end()) return false;
      const auto j = static_cast<std::size_t>(at - y.parent_columns.begin());
      if (!Equated({a, x.columns[i]}, {b, y.columns[j]})) return false;
    }
    return true;
  }

  bool JoinedAlongLink(std::size_t child, std::size_t parent) const {
    const CatalogLink& link = *table(child).link;
    const Scan& other = relation_.scans[parent];
    if (other.node || other.table != link.parent_table) return false;
    for (std::size_t i = 0; i < link.columns.size(); ++i) {
      if (!Equated({child, link.columns[i]}, {parent, link.parent_columns[i]})) return false;
    }
    return true;
  }

  // Gives each scan with a link its parent scan: one the query already joins, or a new one. New
  // parents are appended and reached by the same loop.
  void FollowLinks() {
    parents_.assign(relation_.scans.size(), std::nullopt);
    for (std::size_t child = 0; child < relation_.scans.size(); ++child) {
      if (!table(child).link) continue;
      for (std::size_t other = 0; other < relation_.scans.size(); ++other) {
        if (other == child || !inner(other)) continue;
        if (JoinedAlongLink(child, other)) parents_[child] = other;
      }
      if (!parents_[child]) parents_[child] = AddParent(child);
    }
  }

  std::size_t AddParent(std::size_t child) {
    const CatalogLink& link = *table(child).link;
    const std::size_t parent = relation_.scans.size();
    const SourceSpan span = relation_.scans[child].span;
    relation_.scans.push_back(
        {.table = link.parent_table,
         .alias = relation_.scans[child].alias + "/" + catalog_.table(link.parent_table).name,
         .added = true,
         .span = span});
    parents_.push_back(std::nullopt);
    for (std::size_t i = 0; i < link.columns.size(); ++i) {
      relation_.conditions.push_back(MakeBoundCall(
          "=",
          {Column({child, link.columns[i]}, span), Column({parent, link.parent_columns[i]}, span)},
          span));
    }
    return parent;
  }

  BoundExprPtr Column(BoundColumn at, SourceSpan span) const {
    return ColumnExpr(relation_.scans, catalog_, at, span);
  }

  // The scan whose unit column owns this scan's rows.
  std::size_t Root(std::size_t scan) const {
    while (parents_[scan]) scan = *parents_[scan];
    return scan;
  }
  BoundColumn UnitOf(std::size_t scan) const {
    const std::size_t root = Root(scan);
    Check(table(root).unit_column.has_value(), "a chain of links ends at a unit column");
    return {root, *table(root).unit_column};
  }

  bool HoldsUnitAt(BoundColumn at) const {
    const std::vector<BoundColumn>& units = relation_.unit_columns;
    return std::find(units.begin(), units.end(), at) != units.end();
  }

  // The columns that equalities of one exact type tie to the first unit column. They hold the unit
  // in every row; an inner private scan whose unit column is among them has the same owner, and so
  // has one that names the same parent row as such a scan.
  Status CheckOneOwner(std::size_t first) {
    std::vector<BoundColumn>& units = relation_.unit_columns;
    units = {UnitOf(first)};
    for (std::size_t i = 0; i < units.size(); ++i) {
      AnyEquality(relation_.conditions, [&](BoundColumn x, BoundColumn y) {
        if (x == units[i] && !HoldsUnitAt(y)) units.push_back(y);
        return false;
      });
      for (std::size_t scan = 0; scan < relation_.scans.size(); ++scan) {
        if (!is_private(scan) || !inner(scan) || HoldsUnitAt(UnitOf(scan))) continue;
        if (SharesParentRowWithOwned(scan)) units.push_back(UnitOf(scan));
      }
    }
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (is_private(i) && !IsTied(i)) return TwoOwners(first, i);
    }
    return Done{};
  }

  bool SharesParentRowWithOwned(std::size_t scan) const {
    for (std::size_t other = 0; other < relation_.scans.size(); ++other) {
      if (other == scan || !is_private(other) || !inner(other)) continue;
      const bool owned = relation_.owner || HoldsUnitAt(UnitOf(other));
      if (owned && ShareParentRow(scan, other)) return true;
    }
    return false;
  }

  // Whether a private scan's rows are of the relation's unit: an inner one in every row, another
  // one by its own conditions.
  bool IsTied(std::size_t scan) const {
    if (inner(scan)) return HoldsUnitAt(UnitOf(scan));
    const bool equated = AnyEquality(ConditionsOf(scan), [&](BoundColumn x, BoundColumn y) {
      return x == UnitOf(scan) && HoldsUnitAt(y);
    });
    return equated || SharesParentRowWithOwned(scan);
  }

  Error TwoOwners(std::size_t first, std::size_t other) const {
    const auto qualified = [&](std::size_t scan, std::size_t column) {
      return relation_.scans[scan].alias + "." + table(scan).columns[column].name;
    };
    const auto hides_unit = [&](std::size_t scan) {
      return table(scan).unit_column && table(scan).columns[*table(scan).unit_column].hidden;
    };
    std::string hint;
    if (hides_unit(first) || hides_unit(other)) {
      hint = "select the privacy unit in the subquery, and join on it";
    } else if (table(first).unit_column && table(other).unit_column) {
      hint = "add  " + qualified(first, *table(first).unit_column) + " = " +
             qualified(other, *table(other).unit_column) + "  to the join condition";
    } else {
      const std::size_t child = table(other).link ? other : first;
      const CatalogTable& parent = catalog_.table(table(child).link->parent_table);
      hint = "join  " + relation_.scans[child].alias + "  to  " + parent.name + "  on  " +
             qualified(child, table(child).link->columns[0]) + " = " + parent.name + "." +
             parent.columns[table(child).link->parent_columns[0]].name +
             "  and the tables on their unit";
    }
    return MakeError(ErrorCode::kNotJoinedOnUnit,
                     "private tables are not joined on their privacy unit: " + table(first).name +
                         ", " + table(other).name,
                     JoinSpan(first, other), hint);
  }

  // The condition that joins the two tables, where the caret helps most; else the second table.
  SourceSpan JoinSpan(std::size_t first, std::size_t other) const {
    for (const BoundExprPtr& condition : relation_.conditions) {
      if (condition->arguments.size() != 2) continue;
      const BoundExpr& x = *condition->arguments[0];
      const BoundExpr& y = *condition->arguments[1];
      if (!IsScanColumn(x) || !IsScanColumn(y)) continue;
      const auto [low, high] = std::minmax(x.column.scan, y.column.scan);
      if (low == std::min(first, other) && high == std::max(first, other)) return condition->span;
    }
    return relation_.scans[other].span;
  }

  // What may be NULL instead of the unit, or was computed from it inside a derived table.
  void FindUnitCopies() {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      for (std::size_t c = 0; c < table(i).columns.size(); ++c) {
        if (IsUnitCopy(i, c)) relation_.unit_copies.push_back({i, c});
      }
    }
  }

  bool IsKnownCopy(BoundColumn at) const {
    const std::vector<BoundColumn>& copies = relation_.unit_copies;
    return std::find(copies.begin(), copies.end(), at) != copies.end();
  }

  bool IsUnitCopy(std::size_t scan, std::size_t column) const {
    const bool optional_unit =
        is_private(scan) && !inner(scan) && table(scan).unit_column == column;
    const auto equated = [&](BoundColumn x, BoundColumn y) {
      return x == BoundColumn{scan, column} && (HoldsUnitAt(y) || IsKnownCopy(y));
    };
    return optional_unit || table(scan).columns[column].reads_unit ||
           (!inner(scan) && AnyEquality(ConditionsOf(scan), equated));
  }

  // Scans that no unique key reaches come first; from them the others follow, or widen the join.
  std::size_t WideScans() {
    std::size_t wide = 0;
    relation_.wide_public_scans = 0;
    std::vector<bool> reached(relation_.scans.size(), false);
    std::vector<bool> all(relation_.scans.size(), true);
    for (std::size_t i = 0; i < all.size(); ++i) reached[i] = tested(i);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = false;
      if (!tested(i) && !ReachedByKey(i, all)) wide += Widen(i, reached);
      all[i] = true;
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (!reached[i]) wide += Widen(i, reached);
    }
    return wide;
  }

  std::size_t Widen(std::size_t scan, std::vector<bool>& reached) {
    reached[scan] = true;
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < reached.size(); ++i) {
        if (reached[i] || !ReachedByKey(i, reached)) continue;
        reached[i] = true;
        grown = true;
      }
    }
    const NodePtr& node = relation_.scans[scan].node;
    if (is_private(scan)) {
      relation_.wide_public_scans += node ? node->wide_public_scans : 0;
    } else {
      relation_.wide_public_scans += 1;
    }
    if (relation_.determined[scan]) return 0;
    return node ? node->wide_scans : 1;
  }

  // A scan has one row per unit at most when its own unit column is kept unique by the database,
  // or when a unique key of it is equated with columns of scans that do.
  void FindDetermined() {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      const auto& unit = table(i).unit_column;
      relation_.determined[i] = is_private(i) && inner(i) && unit && table(i).IsUnique({*unit});
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
        if (relation_.determined[i] || !ReachedByKey(i, relation_.determined)) continue;
        if (!inner(i) && !(InnerDetermined() && OnDetermined(i))) continue;
        relation_.determined[i] = true;
        grown = true;
      }
    }
  }

  // Whether a scan's own conditions read it and determined scans alone: else a unit could match in
  // one of its rows and not in another.
  bool OnDetermined(std::size_t scan) const {
    const auto other = [&](const BoundExpr& part) {
      const bool reads = part.kind == BoundKind::kColumn || part.kind == BoundKind::kExists;
      return reads && part.column.scan != scan && !relation_.determined[part.column.scan];
    };
    const auto& on = relation_.scans[scan].on;
    return std::none_of(on.begin(), on.end(),
                        [&](const BoundExprPtr& condition) { return AnyPart(*condition, other); });
  }

  // Whether the inner scans give each unit one row at most. Only then does a unit see one outcome
  // of an optional match: with two rows it could match with one and not with the other.
  bool InnerDetermined() const {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (inner(i) && !relation_.determined[i]) return false;
    }
    return true;
  }

  // Whether a unique key of the scan is equated, column by column, with columns of `from`.
  bool ReachedByKey(std::size_t scan, const std::vector<bool>& from) const {
    const auto fixed = [&](std::size_t column) {
      return AnyEquality(ConditionsOf(scan), [&](BoundColumn x, BoundColumn y) {
        return x == BoundColumn{scan, column} && y.scan != scan && from[y.scan];
      });
    };
    return std::any_of(table(scan).unique_keys.begin(), table(scan).unique_keys.end(),
                       [&](const std::vector<std::size_t>& key) {
                         return std::all_of(key.begin(), key.end(), fixed);
                       });
  }

  // The product of the private tables' caps. A parent reached by its unique key adds no row, nor
  // does a scan with one row per unit.
  void SetRowCap() {
    std::int64_t rows = 1;
    std::vector<bool> all_inner;
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) all_inner.push_back(inner(i));
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      const bool is_parent = std::find(parents_.begin(), parents_.end(), i) != parents_.end();
      const bool adds_none = optional(i) && ReachedByKey(i, all_inner);
      if (!is_private(i) || is_parent || relation_.determined[i] || adds_none) continue;
      if (!table(i).max_rows_per_unit) {
        const NodePtr& node = relation_.scans[i].node;
        relation_.uncapped_table = node ? node->uncapped_table : table(i).name;
        return;
      }
      rows = std::min(kMostRowsPerUnit, rows * *table(i).max_rows_per_unit);
    }
    relation_.rows_per_unit = rows;
  }

  const Catalog& catalog_;
  Relation& relation_;
  std::vector<std::optional<std::size_t>> parents_;
};

}  // namespace

Status ResolveOwnership(const Catalog& catalog, Relation& relation) {
  return OwnershipResolver(catalog, relation).Resolve();
}

Error NotComparedOnUnit(SourceSpan span) {
  return MakeError(ErrorCode::kNotJoinedOnUnit,
                   "a subquery over private rows is not compared on their privacy unit: it would "
                   "tell each row about other people",
                   span, "compare the unit with the unit, or GROUP BY the key and join the result");
}

Status AttachScan(const Catalog& catalog, Relation& relation, Scan scan) {
  return OwnershipResolver(catalog, relation).Attach(std::move(scan));
}

bool HoldsUnit(const BoundExpr& expr, const Relation& relation) {
  return expr.kind == BoundKind::kColumn &&
         std::find(relation.unit_columns.begin(), relation.unit_columns.end(), expr.column) !=
             relation.unit_columns.end();
}

bool ReadsUnit(const BoundExpr& expr, const Relation& relation) {
  if (expr.kind == BoundKind::kColumn) {
    return HoldsUnit(expr, relation) ||
           std::find(relation.unit_copies.begin(), relation.unit_copies.end(), expr.column) !=
               relation.unit_copies.end();
  }
  const auto reads = [&](const BoundExprPtr& part) { return ReadsUnit(*part, relation); };
  // A test of public rows by the unit says who the unit is; one of the unit's own rows does not.
  if (expr.kind == BoundKind::kExists) {
    const Scan& tested = relation.scans.at(expr.column.scan);
    return tested.node->table.is_public && std::any_of(tested.on.begin(), tested.on.end(), reads);
  }
  return std::any_of(expr.arguments.begin(), expr.arguments.end(), reads);
}

}  // namespace dpsql
