#include "validate/validate.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/bind_aggregate.h"
#include "validate/bind_expr.h"
#include "validate/bind_from.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"
#include "validate/query_clock.h"
#include "validate/rules.h"
#include "validate/scope.h"
#include "validate/select_items.h"

namespace dpsql {

class Validator {
 public:
  Validator(const ast::Select& select, const Catalog& catalog)
      : select_(select), scope_(catalog), query_(catalog) {}

  Result<BoundQuery> Run() {
    TRY_DONE(RefuseUnavailable());
    TRY_DONE(FromBinder(select_, nullptr, scope_, query_.relation_).Bind());
    if (!query_.relation_.owner) {
      return MakeError(ErrorCode::kNoPrivateTable, "the query reads no private table",
                       select_.span);
    }
    TRY_DONE(BindGroupBy());
    TRY_DONE(BindSelectList());
    TRY_DONE(ApplyRules(query_));
    return std::move(query_);
  }

 private:
  Status RefuseUnavailable() const {
    if (select_.set_operation) return NotYet("UNION, INTERSECT and EXCEPT", select_.span);
    if (!select_.values.empty()) return NotYet("VALUES", select_.span);
    if (select_.distinct || !select_.distinct_on.empty()) {
      return NotYet("SELECT DISTINCT", select_.span, "use GROUP BY");
    }
    if (select_.having) return NotYet("HAVING", select_.having->span);
    if (!select_.windows.empty()) return NotYet("WINDOW", select_.windows[0].span);
    if (!select_.order_by.empty()) {
      return NotYet("ORDER BY", select_.order_by[0].expr->span, "rows come sorted by their keys");
    }
    if (select_.limit) return NotYet("LIMIT", select_.limit->span);
    if (select_.offset) return NotYet("OFFSET", select_.offset->span);
    return Done{};
  }

  Status BindGroupBy() {
    for (const ast::GroupItem& item : select_.group_by) {
      if (item.kind != ast::GroupingKind::kExpr) return NotYet("GROUPING SETS", item.span);
      TRY(const ast::Expr* expr, GroupExpr(*item.expr, select_, scope_));
      TRY(BoundExprPtr bound, BindExpr(*expr, scope_));
      if (FindKey(*bound)) continue;
      query_.keys_.push_back(MakeKey(std::move(bound)));
    }
    return Done{};
  }

  BoundKey MakeKey(BoundExprPtr expr) const {
    BoundKey key{.expr = std::move(expr)};
    key.determined = Determined(*key.expr);
    if (key.expr->kind == BoundKind::kColumn) key.values = query_.column(key.expr->column).values;
    return key;
  }

  bool Determined(const BoundExpr& expr) const {
    if (expr.kind == BoundKind::kColumn) return query_.relation_.determined[expr.column.scan];
    return std::all_of(expr.arguments.begin(), expr.arguments.end(),
                       [&](const BoundExprPtr& argument) { return Determined(*argument); });
  }

  std::optional<std::size_t> FindKey(const BoundExpr& expr) const {
    for (std::size_t i = 0; i < query_.keys_.size(); ++i) {
      if (SameExpr(*query_.keys_[i].expr, expr)) return i;
    }
    return std::nullopt;
  }

  Status BindSelectList() {
    for (const ast::SelectItem& item : select_.items) {
      const std::string name = item.alias.empty() ? DefaultName(*item.expr) : item.alias;
      const auto* call = std::get_if<ast::Call>(&item.expr->node);
      if (call != nullptr && !call->is_operator && IsAggregateName(call->name)) {
        TRY(BoundAggregate bound, BindAggregate(*call, item.expr->span, scope_, query_.relation_));
        query_.outputs_.push_back(
            {.name = name, .is_key = false, .index = query_.aggregates_.size()});
        query_.aggregates_.push_back(std::move(bound));
        continue;
      }
      TRY(BoundExprPtr bound, BindExpr(*item.expr, scope_));
      const auto key = FindKey(*bound);
      if (!key) return NotAggregated(*bound);
      query_.outputs_.push_back({.name = name, .is_key = true, .index = *key});
    }
    if (!query_.aggregates_.empty()) return Done{};
    return NotYet("a query without an aggregate", select_.span, "add COUNT(*) to the select list");
  }

  Error NotAggregated(const BoundExpr& expr) const {
    if (ReadsUnit(expr, query_.relation_)) {
      return MakeError(ErrorCode::kUnitReleased, "a privacy unit is never shown", expr.span);
    }
    return MakeError(ErrorCode::kRawColumn,
                     "the value " + Describe(expr, query_) + " would show rows of people",
                     expr.span);
  }

  const ast::Select& select_;
  Scope scope_;
  BoundQuery query_;
};

Result<BoundQuery> Validate(const ast::Select& select, const Catalog& catalog) {
  const QueryClock clock(QueryClock::Now());  // now() is one moment for the whole query
  return Validator(select, catalog).Run();
}

}  // namespace dpsql
