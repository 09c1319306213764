#include "validate/bind_derived.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/bind_expr.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"
#include "validate/select_items.h"

namespace dpsql {
namespace {

// Exact and independent of the order of rows; integers only where it adds up.
bool IsUnitAggregate(const std::string& name) {
  return name == "count" || name == "sum" || name == "min" || name == "max";
}

bool IsOrdered(const Type& type) {
  return type.family != TypeFamily::kFloat && type.family != TypeFamily::kOther;
}

}  // namespace

class DerivedBinder {
 public:
  DerivedBinder(const ast::Select& select, const Catalog& catalog, DerivedUse& use)
      : select_(select), scope_(catalog), query_(new BoundQuery(catalog)), use_(use) {
    result_.table.name = use.name;
    result_.distinct = use.distinct || select.distinct;
  }

  Result<std::shared_ptr<const DerivedTable>> Run() {
    TRY_DONE(RefuseUnavailable());
    FromBinder from(select_, use_.ctes, scope_, query_->relation_);
    from.CorrelateWith(use_.correlated);
    TRY_DONE(from.Bind());
    TRY_DONE(BindGroupBy());
    if (use_.correlated != nullptr && IsGrouped()) {
      return NotYet("a grouping inside EXISTS", select_.span);
    }
    if (use_.correlated != nullptr) {
      TRY_DONE(CheckExistsItems());
      AddCorrelations(from);
    } else {
      TRY_DONE(BindItems());
    }
    TRY_DONE(KeepOwner());
    TRY_DONE(CheckDistinct());
    SetFacts();
    result_.block = query_;
    return std::make_shared<const DerivedTable>(std::move(result_));
  }

 private:
  const Relation& relation() const { return query_->relation_; }

  Status RefuseUnavailable() const {
    if (select_.set_operation) return NotYet("UNION, INTERSECT and EXCEPT", select_.span);
    if (!select_.values.empty()) return NotYet("VALUES", select_.span);
    if (!select_.distinct_on.empty()) return NotYet("DISTINCT ON", select_.span);
    if (select_.having) {
      return NotYet("HAVING in a subquery", select_.having->span, "filter in the outer WHERE");
    }
    if (!select_.windows.empty()) return NotYet("WINDOW", select_.windows[0].span);
    const bool ordered = !select_.order_by.empty() || select_.limit || select_.offset;
    if (ordered) {
      return MakeError(ErrorCode::kUnstableOrder,
                       "which rows a LIMIT keeps would depend on other people's rows",
                       select_.span);
    }
    return Done{};
  }

  Status BindGroupBy() {
    for (const ast::GroupItem& item : select_.group_by) {
      if (item.kind != ast::GroupingKind::kExpr) return NotYet("GROUPING SETS", item.span);
      TRY(const ast::Expr* expr, GroupExpr(*item.expr, select_, scope_));
      TRY(BoundExprPtr bound, BindExpr(*expr, scope_));
      if (!IsOrdered(bound->type)) {
        return MakeError(ErrorCode::kInexactKey,
                         "groups of type " + bound->type.name + " are not exact", bound->span);
      }
      result_.group_by.push_back(std::move(bound));
    }
    if (!IsGrouped() || !relation().owner) return Done{};
    const bool per_unit =
        std::any_of(result_.group_by.begin(), result_.group_by.end(),
                    [&](const BoundExprPtr& key) { return HoldsUnit(*key, relation()); });
    if (per_unit) return Done{};
    return NotYet("a released result inside a query", select_.span,
                  "group by the privacy unit as well, or ask in two queries");
  }

  bool IsGrouped() const {
    return !result_.group_by.empty() ||
           std::any_of(select_.items.begin(), select_.items.end(),
                       [](const auto& item) { return IsAggregateItem(*item.expr); });
  }

  Status BindItems() {
    for (const ast::SelectItem& item : select_.items) {
      if (const auto* star = std::get_if<ast::Star>(&item.expr->node)) {
        TRY_DONE(ExpandStar(*star, item.expr->span));
        continue;
      }
      const std::string name = item.alias.empty() ? DefaultName(*item.expr) : item.alias;
      const auto* call = std::get_if<ast::Call>(&item.expr->node);
      if (call != nullptr && IsAggregateItem(*item.expr)) {
        TRY_DONE(BindUnitAggregate(*call, name, item.expr->span));
        continue;
      }
      TRY(BoundExprPtr bound, BindExpr(*item.expr, scope_));
      TRY_DONE(AddColumn(name, {.expr = std::move(bound)}, item.expr->span));
    }
    return Done{};
  }

  // What EXISTS selects does not matter, as long as it is a row for each row: an aggregate would
  // make one of none.
  Status CheckExistsItems() const {
    for (const ast::SelectItem& item : select_.items) {
      const bool plain = std::holds_alternative<ast::Star>(item.expr->node) ||
                         std::holds_alternative<ast::Null>(item.expr->node);
      if (!plain) TRY_DONE(AsStatus(BindExpr(*item.expr, scope_)));
    }
    return Done{};
  }

  static Status AsStatus(const Result<BoundExprPtr>& bound) {
    if (!bound) return bound.error();
    return Done{};
  }

  Status ExpandStar(const ast::Star& star, SourceSpan span) {
    bool found = false;
    for (std::size_t s = 0; s < relation().scans.size(); ++s) {
      const Scan& scan = relation().scans[s];
      const bool named = star.qualifier.empty() ||
                         (star.qualifier.size() == 1 && SameName(scan.alias, star.qualifier[0]));
      if (scan.added || !named) continue;
      found = true;
      const CatalogTable& table = query_->table(scan);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].hidden) continue;
        TRY_DONE(AddColumn(table.columns[c].name, {.expr = scope_.ColumnAt({s, c}, span)}, span));
      }
    }
    if (found) return Done{};
    return MakeError(ErrorCode::kUnknownTable, "no table of this name is in FROM", span);
  }

  // Exact per unit, and a function of the multiset of the unit's rows: counts, minima, maxima, and
  // sums of integers. A sum of floats would depend on the order of its rows.
  Status BindUnitAggregate(const ast::Call& call, const std::string& name, SourceSpan span) {
    const bool plain = !call.filter && !call.over && call.order_by.empty() && call.schema.empty();
    if (!plain || !IsUnitAggregate(call.name) || (call.distinct && call.name != "count")) {
      return NotYet("this aggregate within a unit", span,
                    "COUNT, COUNT(DISTINCT x), SUM of integers, MIN and MAX are exact per unit");
    }
    DerivedColumn column{.aggregate = call.name, .distinct = call.distinct};
    if (call.star) return AddColumn(name, std::move(column), span);
    if (call.arguments.size() != 1) {
      return MakeError(ErrorCode::kWrongArguments, call.name + " takes one argument here", span);
    }
    TRY(column.expr, BindExpr(*call.arguments[0].value, scope_));
    const Type& type = column.expr->type;
    const bool fits = call.name == "count" ? !call.distinct || IsOrdered(type)
                      : call.name == "sum" ? type.family == TypeFamily::kInteger
                                           : IsOrdered(type);
    if (fits) return AddColumn(name, std::move(column), span);
    return MakeError(ErrorCode::kTypeMismatch,
                     call.name + " of " + type.name + " is not exact within a unit", span,
                     "sums of integers are; so are counts");
  }

  Status AddColumn(const std::string& name, DerivedColumn column, SourceSpan span) {
    if (result_.table.FindColumn(name)) {
      return MakeError(ErrorCode::kAmbiguousColumn, "two columns are named " + name, span,
                       "give one of them another name with AS");
    }
    if (IsGrouped() && column.aggregate.empty()) {
      const bool key =
          std::any_of(result_.group_by.begin(), result_.group_by.end(),
                      [&](const BoundExprPtr& group) { return SameExpr(*group, *column.expr); });
      if (!key) {
        return MakeError(ErrorCode::kRawColumn,
                         "the value " + dpsql::Describe(*column.expr, *query_) +
                             " is neither grouped nor aggregated",
                         span, "put it into GROUP BY, or aggregate it");
      }
    }
    result_.table.columns.push_back(Describe(name, column));
    result_.columns.push_back(std::move(column));
    return Done{};
  }

  // What the outer query may know of a column.
  CatalogColumn Describe(const std::string& name, const DerivedColumn& column) const {
    if (column.aggregate == "count") {
      return {.name = name, .type = ParseType("BIGINT"), .nullable = false};
    }
    const Type type = column.aggregate == "sum" ? ParseType("HUGEINT") : column.expr->type;
    CatalogColumn described{.name = name, .type = type};
    described.reads_unit = ReadsUnit(*column.expr, relation());
    described.nullable = !column.aggregate.empty() || column.expr->nullable;
    if (column.aggregate != "sum") described.bounds = column.expr->interval;
    const bool bare = column.aggregate.empty() && column.expr->kind == BoundKind::kColumn;
    if (bare) described.values = query_->column(column.expr->column).values;
    return described;
  }

  void AddCorrelations(const FromBinder& from) {
    for (const FromBinder::Correlation& correlation : from.correlations()) {
      DerivedColumn column{.expr = correlation.inner};
      result_.table.columns.push_back(
          Describe("c" + std::to_string(result_.columns.size()), column));
      result_.columns.push_back(std::move(column));
      use_.outer_columns.push_back(correlation.outer);
    }
  }

  // The owner stays a column, whether the analyst selected it or not.
  Status KeepOwner() {
    CatalogTable& table = result_.table;
    table.is_public = !relation().owner;
    if (table.is_public) return Done{};
    table.kind = relation().owner->kind;
    for (std::size_t i = 0; i < result_.columns.size(); ++i) {
      const DerivedColumn& column = result_.columns[i];
      const bool owner = column.aggregate.empty() && HoldsUnit(*column.expr, relation());
      if (owner && !table.unit_column) table.unit_column = i;
    }
    if (table.unit_column) return Done{};
    if (select_.distinct) {
      return MakeError(ErrorCode::kNotJoinedOnUnit,
                       "DISTINCT without the privacy unit mixes people", select_.span,
                       "select the unit as well, or use GROUP BY");
    }
    table.unit_column = result_.columns.size();
    DerivedColumn column{.expr = OwnerColumn()};
    std::string name = "(owner)";
    while (table.FindColumn(name)) name += "'";
    CatalogColumn described = Describe(name, column);
    described.hidden = true;
    table.columns.push_back(std::move(described));
    result_.columns.push_back(std::move(column));
    return Done{};
  }

  // Values that are equal and yet differ (-0.0 and 0.0) would leave it to the order of rows which
  // of them stays.
  Status CheckDistinct() const {
    if (!result_.distinct) return Done{};
    for (const CatalogColumn& column : result_.table.columns) {
      if (IsOrdered(column.type)) continue;
      return MakeError(ErrorCode::kInexactKey,
                       "distinct values of type " + column.type.name + " are not exact",
                       select_.span);
    }
    return Done{};
  }

  // In a grouping the owner is the key that holds it, so that the database need not prove it.
  BoundExprPtr OwnerColumn() const {
    for (const BoundExprPtr& key : result_.group_by) {
      if (HoldsUnit(*key, relation())) return key;
    }
    return std::make_shared<const BoundExpr>(
        BoundExpr{.kind = BoundKind::kColumn,
                  .type = query_->column(relation().owner->column).type,
                  .nullable = false,
                  .column = relation().owner->column});
  }

  // Facts that set defaults of caps. The caps are enforced whatever the facts.
  void SetFacts() {
    CatalogTable& table = result_.table;
    table.max_rows_per_unit = relation().rows_per_unit;
    const bool one_row = std::all_of(relation().determined.begin(), relation().determined.end(),
                                     [](bool determined) { return determined; });
    if (!table.is_public && (one_row || result_.group_by.size() == 1)) {
      table.unique_keys.push_back({*table.unit_column});
    }
    if (!result_.distinct) return;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < table.columns.size(); ++i) all.push_back(i);
    table.unique_keys.push_back(std::move(all));
  }

  const ast::Select& select_;
  Scope scope_;
  std::shared_ptr<BoundQuery> query_;
  DerivedUse& use_;
  DerivedTable result_;
};

Result<std::shared_ptr<const DerivedTable>> BindDerived(const ast::Select& select,
                                                        const Catalog& catalog, DerivedUse& use) {
  return DerivedBinder(select, catalog, use).Run();
}

}  // namespace dpsql
