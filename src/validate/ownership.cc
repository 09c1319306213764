#include "validate/ownership.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "validate/bind_expr.h"
#include "validate/not_yet.h"
#include "validate/scope.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMostRowsPerUnit = 1'000'000'000;

class OwnershipResolver {
 public:
  OwnershipResolver(const Catalog& catalog, Relation& relation)
      : catalog_(catalog), relation_(relation) {}

  Status Resolve() {
    TRY_DONE(CheckOuterSides());
    TRY_DONE(CheckKinds());
    FollowLinks();
    relation_.determined.assign(relation_.scans.size(), false);
    CountWideScans();
    const auto first = FirstPrivate();
    if (!first) return Done{};
    TRY_DONE(CheckOneOwner(*first));
    relation_.owner = Owner{.kind = table(*first).kind, .column = UnitOf(*first)};
    FindUnitCopies();
    FindDetermined();
    SetRowCap();
    return Done{};
  }

 private:
  const CatalogTable& table(std::size_t scan) const {
    return TableOf(relation_.scans[scan], catalog_);
  }
  bool is_private(std::size_t scan) const { return !table(scan).is_public; }
  bool optional(std::size_t scan) const { return relation_.scans[scan].optional; }

  std::optional<std::size_t> FirstPrivate() const {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (is_private(i) && !optional(i)) return i;
    }
    return std::nullopt;
  }

  // Unmatched public rows would appear when the last matching unit leaves: not unit-local.
  Status CheckOuterSides() const {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (!is_private(i) || !optional(i)) continue;
      if (!FirstPrivate()) {
        return MakeError(
            ErrorCode::kNotJoinedOnUnit,
            "a private table may not be the outer side of a public one: " + table(i).name,
            relation_.scans[i].span,
            "use an inner JOIN, or count with GROUP BY and join the result");
      }
      if (table(i).link) {
        return NotYet("an outer join with a table that finds its unit over a foreign key",
                      relation_.scans[i].span, "use an inner JOIN");
      }
    }
    return Done{};
  }

  Status CheckKinds() const {
    const auto first = FirstPrivate();
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (!is_private(i) || table(i).kind == table(*first).kind) continue;
      return MakeError(ErrorCode::kMixedUnits,
                       table(*first).name + " protects each " + table(*first).kind + ", " +
                           table(i).name + " each " + table(i).kind,
                       relation_.scans[i].span);
    }
    return Done{};
  }

  // The two columns that a top-level condition equates, where it does.
  static std::optional<std::pair<BoundExpr, BoundExpr>> Equality(const BoundExpr& condition) {
    if (condition.function != "=") return std::nullopt;
    const BoundExpr& x = *condition.arguments[0];
    const BoundExpr& y = *condition.arguments[1];
    if (x.kind != BoundKind::kColumn || y.kind != BoundKind::kColumn) return std::nullopt;
    return std::pair(x, y);
  }

  // Whether some condition of the list equates bare columns x and y of one exact type for which
  // `holds(x, y)`, in either order.
  template <typename Holds>
  static bool AnyEquality(const std::vector<BoundExprPtr>& conditions, Holds holds) {
    return std::any_of(conditions.begin(), conditions.end(), [&](const BoundExprPtr& condition) {
      const auto pair = Equality(*condition);
      if (!pair || pair->first.type != pair->second.type) return false;
      const BoundColumn x = pair->first.column;
      const BoundColumn y = pair->second.column;
      return holds(x, y) || holds(y, x);
    });
  }

  // The conditions under which a scan is joined: an optional one has its own.
  const std::vector<BoundExprPtr>& ConditionsOf(std::size_t scan) const {
    return optional(scan) ? relation_.scans[scan].on : relation_.conditions;
  }

  bool Equated(BoundColumn a, BoundColumn b) const {
    const std::size_t joined = optional(a.scan) ? a.scan : b.scan;
    return AnyEquality(ConditionsOf(joined),
                       [&](BoundColumn x, BoundColumn y) { return x == a && y == b; });
  }

  bool JoinedAlongLink(std::size_t child, std::size_t parent) const {
    const CatalogLink& link = *table(child).link;
    const Scan& other = relation_.scans[parent];
    if (other.derived || other.table != link.parent_table) return false;
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
        const bool inner = other != child && !optional(other);
        if (inner && JoinedAlongLink(child, other)) parents_[child] = other;
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

  // The columns that equalities of one exact type tie to the first unit column. They hold the unit
  // in every row; a private scan whose unit column is among them has the same owner, and an
  // optional one whose own ON ties it to one of them.
  Status CheckOneOwner(std::size_t first) {
    std::vector<BoundColumn>& units = relation_.unit_columns;
    units = {UnitOf(first)};
    const auto holds_unit = [&](BoundColumn at) {
      return std::find(units.begin(), units.end(), at) != units.end();
    };
    for (std::size_t i = 0; i < units.size(); ++i) {
      AnyEquality(relation_.conditions, [&](BoundColumn x, BoundColumn y) {
        if (x == units[i] && !holds_unit(y)) units.push_back(y);
        return false;
      });
    }
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (!is_private(i)) continue;
      const bool same = optional(i) ? AnyEquality(ConditionsOf(i),
                                                  [&](BoundColumn x, BoundColumn y) {
                                                    return x == UnitOf(i) && holds_unit(y);
                                                  })
                                    : holds_unit(UnitOf(i));
      if (!same) return TwoOwners(first, i);
    }
    return Done{};
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
      if (x.kind != BoundKind::kColumn || y.kind != BoundKind::kColumn) continue;
      const auto [low, high] = std::minmax(x.column.scan, y.column.scan);
      if (low == std::min(first, other) && high == std::max(first, other)) return condition->span;
    }
    return relation_.scans[other].span;
  }

  // What may be NULL instead of the unit, or was computed from it inside a derived table.
  void FindUnitCopies() {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      for (std::size_t c = 0; c < table(i).columns.size(); ++c) {
        const bool optional_unit = is_private(i) && optional(i) && table(i).unit_column == c;
        const bool copy = optional_unit || table(i).columns[c].reads_unit;
        if (copy) relation_.unit_copies.push_back({i, c});
      }
    }
  }

  // Scans that no unique key reaches come first; from them the others follow, or widen the join.
  void CountWideScans() {
    std::vector<bool> reached(relation_.scans.size(), false);
    std::vector<bool> all(relation_.scans.size(), true);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = false;
      if (!ReachedByKey(i, all)) Widen(i, reached);
      all[i] = true;
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (!reached[i]) Widen(i, reached);
    }
  }

  void Widen(std::size_t scan, std::vector<bool>& reached) {
    const auto& derived = relation_.scans[scan].derived;
    relation_.wide_scans += derived ? derived->block->relation().wide_scans : 1;
    reached[scan] = true;
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < reached.size(); ++i) {
        if (reached[i] || !ReachedByKey(i, reached)) continue;
        reached[i] = true;
        grown = true;
      }
    }
  }

  // A scan has one row per unit at most when its own unit column is kept unique by the database,
  // or when a unique key of it is equated with columns of scans that do.
  void FindDetermined() {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      const auto& unit = table(i).unit_column;
      relation_.determined[i] = is_private(i) && !optional(i) && unit && table(i).IsUnique({*unit});
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
        if (relation_.determined[i] || !ReachedByKey(i, relation_.determined)) continue;
        if (optional(i) && !InnerDetermined()) continue;
        relation_.determined[i] = true;
        grown = true;
      }
    }
  }

  // Whether the inner scans give each unit one row at most. Only then does a unit see one outcome
  // of an optional match: with two rows it could match with one and not with the other.
  bool InnerDetermined() const {
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      if (!optional(i) && !relation_.determined[i]) return false;
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
    std::vector<bool> inner;
    for (const Scan& scan : relation_.scans) inner.push_back(!scan.optional);
    for (std::size_t i = 0; i < relation_.scans.size(); ++i) {
      const bool is_parent = std::find(parents_.begin(), parents_.end(), i) != parents_.end();
      const bool adds_none = optional(i) && ReachedByKey(i, inner);
      if (!is_private(i) || is_parent || relation_.determined[i] || adds_none) continue;
      if (!table(i).max_rows_per_unit) {
        const auto& derived = relation_.scans[i].derived;
        relation_.uncapped_table =
            derived ? derived->block->relation().uncapped_table : table(i).name;
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
  return std::any_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& part) { return ReadsUnit(*part, relation); });
}

}  // namespace dpsql
