#include "validate/validate.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/bind_aggregate.h"
#include "validate/bind_expr.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"
#include "validate/rules.h"
#include "validate/scope.h"

namespace dpsql {
namespace {

// The name PostgreSQL would give a column without an alias.
std::string DefaultName(const ast::Expr& expr) {
  if (const auto* column = std::get_if<ast::ColumnRef>(&expr.node)) return column->parts.back();
  if (const auto* call = std::get_if<ast::Call>(&expr.node); call && !call->is_operator) {
    return call->name;
  }
  return "?column?";
}

}  // namespace

class Validator {
 public:
  Validator(const ast::Select& select, const Catalog& catalog)
      : select_(select), scope_(catalog), query_(catalog) {}

  Result<BoundQuery> Run() {
    TRY_DONE(RefuseUnavailable());
    TRY_DONE(BindFrom());
    TRY_DONE(ResolveOwnership(scope_.catalog(), query_.relation_));
    DropNullRows(query_.relation_);
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
    if (!select_.with.empty()) return NotYet("WITH", select_.with[0].span);
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

  Status BindFrom() {
    for (const ast::From& from : select_.from) TRY_DONE(CollectTables(from));
    Relation& relation = query_.relation_;
    relation.scans = scope_.scans();
    for (const ast::Expr* condition : conditions_) {
      TRY(BoundExprPtr bound, BindCondition(*condition, scope_));
      AppendConjuncts(bound, relation.conditions);
    }
    if (select_.where) {
      TRY(BoundExprPtr bound, BindCondition(*select_.where, scope_));
      AppendConjuncts(bound, relation.conditions);
    }
    return Done{};
  }

  // An inner join is flat: its tables, and all its conditions.
  Status CollectTables(const ast::From& from) {
    if (std::holds_alternative<ast::TableName>(from.node)) return scope_.AddTable(from);
    const auto* join = std::get_if<ast::Join>(&from.node);
    if (join == nullptr) return NotYet("a subquery or function in FROM", from.span);
    const bool inner = join->kind == ast::JoinKind::kInner || join->kind == ast::JoinKind::kCross;
    if (!inner) return NotYet("an outer join", from.span, "use an inner JOIN");
    if (join->natural || !join->using_columns.empty()) {
      return NotYet("NATURAL and USING", from.span, "write the join condition after ON");
    }
    TRY_DONE(CollectTables(*join->left));
    TRY_DONE(CollectTables(*join->right));
    if (join->on) conditions_.push_back(join->on.get());
    return Done{};
  }

  // Where the owner says a column has no NULL, rows that have one are dropped, used or not.
  void DropNullRows(Relation& relation) const {
    for (std::size_t s = 0; s < relation.scans.size(); ++s) {
      const CatalogTable& table = scope_.catalog().table(relation.scans[s].table);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (!table.columns[c].drops_null_rows) continue;
        auto column = std::make_shared<const BoundExpr>(BoundExpr{.kind = BoundKind::kColumn,
                                                                  .type = table.columns[c].type,
                                                                  .span = relation.scans[s].span,
                                                                  .column = {s, c}});
        relation.conditions.push_back(
            MakeBoundCall("is not null", {std::move(column)}, relation.scans[s].span));
      }
    }
  }

  Status BindGroupBy() {
    for (const ast::GroupItem& item : select_.group_by) {
      if (item.kind != ast::GroupingKind::kExpr) return NotYet("GROUPING SETS", item.span);
      TRY(const ast::Expr* expr, GroupExpr(*item.expr));
      TRY(BoundExprPtr bound, BindExpr(*expr, scope_));
      if (FindKey(*bound)) continue;
      query_.keys_.push_back(MakeKey(std::move(bound)));
    }
    return Done{};
  }

  // GROUP BY 1 and GROUP BY an output's alias mean the expression in the select list; a column of
  // the same name comes first, as in PostgreSQL.
  Result<const ast::Expr*> GroupExpr(const ast::Expr& expr) const {
    if (const auto* number = std::get_if<ast::Number>(&expr.node)) {
      for (std::size_t i = 0; i < select_.items.size(); ++i) {
        if (number->text == std::to_string(i + 1)) return select_.items[i].expr.get();
      }
      return MakeError(ErrorCode::kUnknownColumn, "the select list has no such position",
                       expr.span);
    }
    const auto* column = std::get_if<ast::ColumnRef>(&expr.node);
    if (column == nullptr || column->parts.size() != 1) return &expr;
    if (scope_.ResolveColumn(*column, expr.span).ok()) return &expr;
    for (const ast::SelectItem& item : select_.items) {
      if (SameName(item.alias, column->parts[0])) return item.expr.get();
    }
    return &expr;
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
  std::vector<const ast::Expr*> conditions_;
  BoundQuery query_;
};

Result<BoundQuery> Validate(const ast::Select& select, const Catalog& catalog) {
  return Validator(select, catalog).Run();
}

}  // namespace dpsql
