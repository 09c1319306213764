#include "validate/bind_from.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/bind_derived.h"
#include "validate/bind_expr.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"

namespace dpsql {
namespace {

// A self-join squares a person's rows; a third scan would cube them. The clip keeps the answer
// private whatever the number, but the time would show who has many rows.
constexpr std::size_t kMostWideScans = 2;

// CTEs are expanded where they are read; this keeps a short text from becoming a long query.
constexpr std::size_t kMostScans = 64;

// The highest scan that an expression reads.
std::size_t LastScan(const BoundExpr& expr) {
  std::size_t last = expr.kind == BoundKind::kColumn ? expr.column.scan : 0;
  for (const BoundExprPtr& argument : expr.arguments) last = std::max(last, LastScan(*argument));
  return last;
}

}  // namespace

Status FromBinder::Bind() {
  if (select_.recursive) return NotYet("WITH RECURSIVE", select_.span);
  std::deque<CteScope> own;
  for (const ast::Cte& cte : select_.with) {
    const auto same = [&](const CteScope& other) { return SameName(other.cte->name, cte.name); };
    if (std::any_of(own.begin(), own.end(), same)) {
      return MakeError(ErrorCode::kDuplicateTable, "two queries of WITH are named " + cte.name,
                       cte.span, "give each its own name");
    }
    own.push_back({.outer = ctes_, .cte = &cte});
    ctes_ = &own.back();
  }
  for (const ast::From& from : select_.from) TRY_DONE(Collect(from));
  for (const ast::Expr* condition : conditions_) {
    TRY(BoundExprPtr bound, BindCondition(*condition, scope_));
    AppendConjuncts(bound, relation_.conditions);
  }
  if (select_.where) TRY_DONE(BindWhere(*select_.where));
  relation_.scans = scope_.scans();
  for (const PendingOn& pending : pending_) TRY_DONE(BindOn(pending));
  TRY_DONE(ResolveOwnership(scope_.catalog(), relation_));
  DropNullRows();
  return CheckSize();
}

Status FromBinder::CheckSize() {
  for (const Scan& scan : relation_.scans) {
    relation_.total_scans += scan.derived ? scan.derived->block->relation().total_scans : 1;
  }
  if (relation_.total_scans > kMostScans) {
    return MakeError(ErrorCode::kTooLarge, "the query reads too many tables", select_.span);
  }
  if (relation_.wide_scans <= kMostWideScans) return Done{};
  return MakeError(ErrorCode::kTooManyRows,
                   "this join could multiply one person's rows without limit",
                   relation_.scans.back().span);
}

Status FromBinder::Collect(const ast::From& from) {
  if (std::holds_alternative<ast::TableName>(from.node)) return CollectTable(from);
  if (const auto* derived = std::get_if<ast::DerivedTable>(&from.node)) {
    if (derived->lateral) return NotYet("LATERAL", from.span);
    return CollectDerived(*derived->select, from, ctes_);
  }
  if (const auto* join = std::get_if<ast::Join>(&from.node)) return CollectJoin(*join, from.span);
  return NotYet("a function in FROM", from.span);
}

// A CTE hides a table of the same name, as an alias does.
Status FromBinder::CollectTable(const ast::From& from) {
  const auto& name = std::get<ast::TableName>(from.node);
  for (const CteScope* scope = ctes_; scope != nullptr; scope = scope->outer) {
    if (name.parts.size() != 1 || !SameName(scope->cte->name, name.parts[0])) continue;
    if (!scope->cte->column_aliases.empty()) {
      return NotYet("new names for a CTE's columns", scope->cte->span,
                    "give the columns their names in its select list");
    }
    return CollectDerived(*scope->cte->select, from, scope->outer);
  }
  return scope_.AddTable(from);
}

Status FromBinder::CollectDerived(const ast::Select& select, const ast::From& from,
                                  const CteScope* ctes) {
  if (!from.column_aliases.empty()) {
    return NotYet("new names for a subquery's columns", from.span,
                  "give the columns their names in its select list");
  }
  const auto* name = std::get_if<ast::TableName>(&from.node);
  const std::string alias = from.alias.empty() && name != nullptr ? name->parts.back() : from.alias;
  DerivedUse use{.ctes = ctes, .name = alias};
  TRY(std::shared_ptr<const DerivedTable> derived, BindDerived(select, scope_.catalog(), use));
  return scope_.AddDerived(std::move(derived), alias, from.span);
}

Status FromBinder::CollectJoin(const ast::Join& join, SourceSpan span) {
  if (join.natural || !join.using_columns.empty()) {
    return NotYet("NATURAL and USING", span, "write the join condition after ON");
  }
  if (join.kind == ast::JoinKind::kFull) return NotYet("FULL JOIN", span);
  if (join.kind == ast::JoinKind::kLeft || join.kind == ast::JoinKind::kRight) {
    return CollectOuter(join, span);
  }
  TRY_DONE(Collect(*join.left));
  TRY_DONE(Collect(*join.right));
  if (join.on) conditions_.push_back(join.on.get());
  return Done{};
}

// (A LEFT JOIN b ON p) x C is (A x C) LEFT JOIN b ON p, so that the inner tables can come first
// wherever they stand, as long as the optional side is one table.
Status FromBinder::CollectOuter(const ast::Join& join, SourceSpan span) {
  const bool left = join.kind == ast::JoinKind::kLeft;
  const ast::From& kept = left ? *join.left : *join.right;
  const ast::From& optional = left ? *join.right : *join.left;
  if (std::holds_alternative<ast::Join>(optional.node)) {
    return NotYet("an outer join whose optional side is a join", span,
                  "make that side a subquery in FROM");
  }
  TRY_DONE(Collect(kept));
  const std::size_t position = scope_.scans().size();
  TRY_DONE(Collect(optional));
  scope_.MakeOptional(position);
  pending_.push_back({.scan = position, .on = join.on.get()});
  return Done{};
}

Status FromBinder::BindOn(const PendingOn& pending) {
  TRY(BoundExprPtr bound, BindCondition(*pending.on, scope_));
  if (LastScan(*bound) > pending.scan) {
    return MakeError(ErrorCode::kUnknownColumn, "this condition reads a table that is joined later",
                     bound->span, "put that condition into WHERE");
  }
  AppendConjuncts(bound, relation_.scans[pending.scan].on);
  return Done{};
}

Status FromBinder::BindWhere(const ast::Expr& where) {
  if (const auto* logic = std::get_if<ast::Logic>(&where.node);
      logic != nullptr && logic->op == ast::LogicOp::kAnd) {
    for (const ast::ExprPtr& operand : logic->operands) TRY_DONE(BindWhere(*operand));
    return Done{};
  }
  if (const auto* subquery = std::get_if<ast::Subquery>(&where.node)) {
    if (subquery->kind == ast::SubqueryKind::kExists) return BindExists(*subquery, where.span);
    const bool in = subquery->kind == ast::SubqueryKind::kAny && subquery->operator_name == "=";
    if (in) return BindIn(*subquery, where.span);
  }
  if (outer_ != nullptr && BindCorrelation(where)) return Done{};
  TRY(BoundExprPtr bound, BindCondition(where, scope_));
  AppendConjuncts(bound, relation_.conditions);
  return Done{};
}

// A name means the nearest thing that has it: a column is the outer query's only where this block
// has none of that name.
bool FromBinder::BindCorrelation(const ast::Expr& condition) {
  const auto* call = std::get_if<ast::Call>(&condition.node);
  if (call == nullptr || call->name != "=" || call->arguments.size() != 2) return false;
  for (const bool swapped : {false, true}) {
    const ast::Expr& near = *call->arguments[swapped ? 1 : 0].value;
    const ast::Expr& far = *call->arguments[swapped ? 0 : 1].value;
    const auto* near_name = std::get_if<ast::ColumnRef>(&near.node);
    const auto* far_name = std::get_if<ast::ColumnRef>(&far.node);
    if (near_name == nullptr || far_name == nullptr) return false;
    if (!IsUnknown(scope_.ResolveColumn(*far_name, far.span))) continue;
    auto inner = scope_.ResolveColumn(*near_name, near.span);
    auto outer = outer_->ResolveColumn(*far_name, far.span);
    if (!inner || !outer) continue;
    correlations_.push_back({*std::move(inner), *std::move(outer)});
    return true;
  }
  return false;
}

Status FromBinder::BindIn(const ast::Subquery& in, SourceSpan span) {
  TRY(BoundExprPtr test, BindExpr(*in.test, scope_));
  DerivedUse use{.ctes = ctes_, .name = "the subquery", .distinct = true};
  TRY(std::shared_ptr<const DerivedTable> derived, BindDerived(*in.select, scope_.catalog(), use));
  return AddMembership({std::move(test)}, derived, span);
}

Status FromBinder::BindExists(const ast::Subquery& exists, SourceSpan span) {
  DerivedUse use{.ctes = ctes_, .name = "the subquery", .distinct = true, .correlated = &scope_};
  TRY(std::shared_ptr<const DerivedTable> derived,
      BindDerived(*exists.select, scope_.catalog(), use));
  return AddMembership(use.outer_columns, derived, span);
}

// A row passes iff its values are among the subquery's, which are distinct: an inner join that
// multiplies nothing. NULL is equal to nothing, as in IN. Whether a private subquery is about the
// same unit is decided with the join, like for any other table.
Status FromBinder::AddMembership(const std::vector<BoundExprPtr>& outer,
                                 const std::shared_ptr<const DerivedTable>& derived,
                                 SourceSpan span) {
  const std::size_t shown = static_cast<std::size_t>(
      std::count_if(derived->table.columns.begin(), derived->table.columns.end(),
                    [](const CatalogColumn& column) { return !column.hidden; }));
  if (outer.empty() || shown != outer.size()) {
    return NotYet("this subquery", span,
                  "compare with one column, or correlate EXISTS by equalities of columns");
  }
  if (!derived->table.is_public) TRY_DONE(CheckPrivateMembership(*derived, span));
  const std::size_t scan = scope_.AddHidden(derived, span);
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const BoundExprPtr inner = scope_.ColumnAt({scan, i}, span);
    if (outer[i]->type != inner->type) {
      return MakeError(ErrorCode::kTypeMismatch,
                       outer[i]->type.name + " and " + inner->type.name + " cannot be compared",
                       span);
    }
    relation_.conditions.push_back(MakeBoundCall("=", {outer[i], inner}, span));
  }
  return Done{};
}

// A private subquery is asked by its own unit only. Compared without it, a row would pass once for
// each unit that has the value; asked by public rows, it would tell them about units.
Status FromBinder::CheckPrivateMembership(const DerivedTable& derived, SourceSpan span) const {
  const bool asked_by_unit = !derived.table.columns[*derived.table.unit_column].hidden;
  const bool asked_by_private = std::any_of(
      scope_.scans().begin(), scope_.scans().end(),
      [&](const Scan& scan) { return !scan.added && !TableOf(scan, scope_.catalog()).is_public; });
  if (asked_by_unit && asked_by_private) return Done{};
  return MakeError(ErrorCode::kNotJoinedOnUnit,
                   "a subquery over private rows is not compared on their privacy unit", span,
                   "compare the unit with the unit, or GROUP BY the key and join the result");
}

// Where the owner says a column has no NULL, rows that have one are dropped, used or not: those of
// an optional table before it is joined. Derived tables have dropped theirs.
void FromBinder::DropNullRows() {
  for (std::size_t s = 0; s < relation_.scans.size(); ++s) {
    const Scan& scan = relation_.scans[s];
    if (scan.derived) continue;
    const CatalogTable& table = scope_.catalog().table(scan.table);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!table.columns[c].drops_null_rows) continue;
      BoundExprPtr column = ColumnExpr(relation_.scans, scope_.catalog(), {s, c}, scan.span);
      std::vector<BoundExprPtr>& conditions =
          scan.optional ? relation_.scans[s].on : relation_.conditions;
      conditions.push_back(MakeBoundCall("is not null", {std::move(column)}, scan.span));
    }
  }
}

}  // namespace dpsql
