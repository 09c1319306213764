#include "validate/bind_block.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/bind_from.h"
#include "validate/block_binder.h"
#include "validate/literals.h"
#include "validate/narrow.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"
#include "validate/rewrite.h"

namespace dpsql {
namespace {

constexpr std::size_t kMostValues = 50;  // rows of a VALUES list

Result<BoundExprPtr> Keep(const BoundExprPtr&) { return BoundExprPtr(); }

}  // namespace

Result<BoundBlock> BlockBinder::Run() {
  TRY_DONE(RefuseUnavailable());
  TRY_DONE(AddCtes());
  if (select_.set_operation) return BindSetOperationBlock();
  if (!select_.values.empty()) return BindValues();
  TRY_DONE(BindFrom());
  TRY_DONE(BindKeys());
  TRY_DONE(BindOutputs());
  TRY_DONE(AttachToRows());
  TRY_DONE(MakeGroups());
  TRY_DONE(MakeWindows());
  return Project();
}

Status BlockBinder::RefuseUnavailable() const {
  if (select_.recursive) {
    return NotYet("WITH RECURSIVE", select_.span, "join the table with itself once for each step");
  }
  if (!select_.distinct_on.empty()) {
    return NotYet(
        "DISTINCT ON", select_.span,
        "number the rows with row_number() OVER (PARTITION BY unit …) and keep the first");
  }
  return Done{};
}

Status BlockBinder::AddCtes() {
  ctes_ = use_.ctes;
  for (const ast::Cte& cte : select_.with) {
    const auto same = [&](const CteScope& other) { return SameName(other.cte->name, cte.name); };
    if (std::any_of(own_ctes_.begin(), own_ctes_.end(), same)) {
      return MakeError(ErrorCode::kDuplicateTable, "two queries of WITH are named " + cte.name,
                       cte.span, "give each its own name");
    }
    own_ctes_.push_back({.outer = ctes_, .cte = &cte, .node = nullptr});
    ctes_ = &own_ctes_.back();
  }
  for (CteScope& cte : own_ctes_) {
    if (const auto node = BindCte(cte, catalog_); !node) return node.error();
  }
  row_subqueries_.emplace(scope_, ctes_);
  output_subqueries_.emplace(scope_, ctes_);
  return Done{};
}

Status BlockBinder::BindFrom() {
  FromBinder from(ctes_, scope_, relation_.conditions);
  for (const ast::From& item : select_.from) TRY_DONE(from.Collect(item));
  relation_.scans = scope_.scans();
  TRY_DONE(RefuseOuterJoins());
  if (select_.where) TRY_DONE(BindWhere(*select_.where));
  TRY_DONE(ResolveOwnership(catalog_, relation_));
  DropNullRows(catalog_, relation_);
  NarrowColumns(relation_, scope_);
  return AttachToRows();
}

// A join that reads the query around would be another join for each of its rows.
Status BlockBinder::RefuseOuterJoins() const {
  std::vector<BoundExprPtr> conditions = relation_.conditions;
  for (const Scan& scan : relation_.scans) {
    conditions.insert(conditions.end(), scan.on.begin(), scan.on.end());
  }
  for (const BoundExprPtr& condition : conditions) {
    if (!ReadsOuter(*condition)) continue;
    return NotYet("a column of the query around in ON", condition->span, "compare it in WHERE");
  }
  return Done{};
}

// Tests at the top of WHERE count what is unknown as false, which needs fewer questions.
Status BlockBinder::BindWhere(const ast::Expr& where) {
  const auto* logic = std::get_if<ast::Logic>(&where.node);
  if (logic != nullptr && logic->op == ast::LogicOp::kAnd) {
    for (const ast::ExprPtr& operand : logic->operands) TRY_DONE(BindWhere(*operand));
    return Done{};
  }
  const bool negated = logic != nullptr && logic->op == ast::LogicOp::kNot;
  const ast::Expr& tested = negated ? *logic->operands[0] : where;
  const auto* subquery = std::get_if<ast::Subquery>(&tested.node);
  const bool test = subquery != nullptr && (subquery->kind == ast::SubqueryKind::kExists ||
                                            subquery->kind == ast::SubqueryKind::kAny ||
                                            subquery->kind == ast::SubqueryKind::kAll);
  if (test) {
    TRY(const BoundExprPtr bound, row_subqueries_->BindTest(*subquery, negated, where.span));
    return AddCondition(bound);
  }
  RowHooks hooks(*row_subqueries_);
  TRY(const BoundExprPtr bound, BindCondition(where, scope_, &hooks));
  return AddCondition(bound);
}

Status BlockBinder::AddCondition(const BoundExprPtr& condition) {
  std::vector<BoundExprPtr> conjuncts;
  AppendConjuncts(condition, conjuncts);
  for (BoundExprPtr& conjunct : conjuncts) {
    std::vector<BoundExprPtr>& list = ReadsOuter(*conjunct) ? correlated_ : relation_.conditions;
    list.push_back(std::move(conjunct));
  }
  return Done{};
}

// Gives the subqueries of row expressions that were bound so far their places.
Status BlockBinder::AttachToRows() {
  TRY_DONE(row_subqueries_->Attach(catalog_, relation_, Keep));
  const auto place = [&](BoundExprPtr& expr) -> Status {
    TRY(expr, row_subqueries_->Place(expr));
    return Done{};
  };
  for (BoundExprPtr& condition : relation_.conditions) TRY_DONE(place(condition));
  for (BoundExprPtr& condition : correlated_) TRY_DONE(place(condition));
  for (BoundExprPtr& key : keys_) TRY_DONE(place(key));
  for (BoundAggregate& aggregate : door_aggregates_) {
    for (BoundedArgument& argument : aggregate.arguments) TRY_DONE(place(argument.expr));
  }
  for (ExactAggregate& aggregate : exact_aggregates_) {
    if (aggregate.argument) TRY_DONE(place(aggregate.argument));
  }
  return Done{};
}

Status BlockBinder::AttachToOutputs(const Replace& rewrite) {
  TRY_DONE(output_subqueries_->Attach(catalog_, relation_, rewrite));
  for (BoundExprPtr& condition : relation_.conditions) {
    TRY(condition, output_subqueries_->Place(condition));
  }
  return RewriteOutputs([&](const BoundExprPtr& part) -> Result<BoundExprPtr> {
    if (part->kind == BoundKind::kCall) return BoundExprPtr();
    return output_subqueries_->Place(part);
  });
}

Result<BoundBlock> BlockBinder::BindSetOperationBlock() {
  TRY(NodePtr node, BindSetOperation(*select_.set_operation, catalog_, ctes_, select_.span));
  relation_.scans.push_back({.node = node, .alias = "(union)", .span = select_.span});
  TRY_DONE(scope_.AddNode(node, "", {}, select_.span));
  TRY_DONE(ResolveOwnership(catalog_, relation_));
  for (const VisibleColumn& column : scope_.Star({})) {
    items_.push_back({.name = column.name, .expr = scope_.Value(column, select_.span)});
  }
  TRY_DONE(BindOrder());
  return Project();
}

// Each row is a SELECT without FROM, and they are joined by UNION ALL.
Result<BoundBlock> BlockBinder::BindValues() {
  if (!select_.order_by.empty() || select_.limit || select_.offset) {
    return NotYet("ORDER BY and LIMIT of VALUES", select_.span, "select from the list");
  }
  if (select_.values.size() > kMostValues) {
    return MakeError(ErrorCode::kTooLarge, "this VALUES list is too long", select_.span,
                     "declare a public table for it");
  }
  NodePtr all;
  for (const std::vector<ast::ExprPtr>& row : select_.values) {
    std::vector<NamedExpr> columns;
    for (const ast::ExprPtr& value : row) {
      TRY(BoundExprPtr bound, BindExpr(*value, scope_));
      if (ReadsOuter(*bound)) return NotYet("VALUES from the query around", bound->span);
      columns.push_back({.name = "column" + std::to_string(columns.size() + 1), .expr = bound});
    }
    TRY(NodePtr node, MakeProjection({}, std::move(columns), "values", catalog_, select_.span));
    if (all) {
      TRY(all, MakeSetOperation({.op = ast::SetOp::kUnion, .all = true, .left = all, .right = node},
                                catalog_, select_.span));
    } else {
      all = std::move(node);
    }
  }
  const std::size_t shown = all->table.columns.size();
  return BoundBlock{.node = std::move(all), .shown = shown, .correlated = {}, .if_empty = nullptr};
}

namespace {

Error RawRoot(const NamedExpr& item, const RelationView& view) {
  if (ReadsUnit(*item.expr, view.relation)) {
    return MakeError(ErrorCode::kUnitReleased, "a privacy unit is never shown", item.expr->span);
  }
  return MakeError(ErrorCode::kRawColumn,
                   "the value " + Describe(*item.expr, view) + " would show rows of people",
                   item.expr->span);
}

// A number of rows, written out.
Result<std::optional<std::int64_t>> RowCount(const ast::ExprPtr& expr, const Scope& scope) {
  if (!expr || std::holds_alternative<ast::Null>(expr->node)) {
    return std::optional<std::int64_t>();
  }
  TRY(const BoundExprPtr bound, BindExpr(*expr, scope));
  const auto* whole = std::get_if<std::int64_t>(&bound->literal);
  if (bound->kind == BoundKind::kLiteral && whole != nullptr && *whole >= 0) {
    return std::optional<std::int64_t>(*whole);
  }
  return MakeError(ErrorCode::kWrongArguments, "LIMIT and OFFSET take a whole number", bound->span,
                   "write it out, 0 or more");
}

}  // namespace

Status BlockBinder::SetLimits(Projection& body) const {
  if (select_.limit_with_ties) return NotYet("FETCH … WITH TIES", select_.span, "use LIMIT");
  TRY(body.limit, RowCount(select_.limit, scope_));
  TRY(body.offset, RowCount(select_.offset, scope_));
  return Done{};
}

// Orders by all there is of a row, so that a LIMIT keeps the same rows each time it is read. Not
// where values are equal and yet differ.
void BlockBinder::MakeOrderTotal(Projection& body) const {
  std::vector<BoundExprPtr> parts;
  for (const NamedExpr& item : items_) parts.push_back(item.expr);
  for (std::size_t s = 0; s < relation_.scans.size() && !body.distinct; ++s) {
    if (relation_.scans[s].role == ScanRole::kTested) continue;
    const std::size_t columns = view().table(relation_.scans[s]).columns.size();
    for (std::size_t c = 0; c < columns; ++c) {
      parts.push_back(ColumnExpr(relation_.scans, catalog_, {s, c}, select_.span));
    }
  }
  body.total_order = std::all_of(parts.begin(), parts.end(),
                                 [](const BoundExprPtr& part) { return IsExactType(part->type); });
  if (!body.total_order) return;
  for (const BoundExprPtr& part : parts) {
    const auto same = [&](const BoundOrder& order) { return SameExpr(*order.expr, *part); };
    if (std::any_of(body.order_by.begin(), body.order_by.end(), same)) continue;
    body.order_by.push_back({.expr = part});
  }
}

// With DISTINCT, only what is selected has one value in each row that stays.
Status BlockBinder::CheckDistinctOrder(const Projection& body) const {
  for (const BoundOrder& order : body.order_by) {
    const bool selected = std::any_of(items_.begin(), items_.end(), [&](const NamedExpr& item) {
      return SameExpr(*item.expr, *order.expr);
    });
    if (selected) continue;
    return MakeError(ErrorCode::kUnknownColumn, "with DISTINCT, ORDER BY takes what is selected",
                     order.expr->span, "select it as well");
  }
  return Done{};
}

// Makes what the conditions with the query around read of this one columns of its result.
Result<std::vector<BoundExprPtr>> BlockBinder::Export(std::vector<NamedExpr>& columns) {
  const auto position = [&](const BoundExprPtr& part) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (SameExpr(*columns[i].expr, *part)) return i;
    }
    columns.push_back({.name = "(compared)", .expr = part, .hidden = true});
    return columns.size() - 1;
  };
  std::vector<BoundExprPtr> conditions;
  for (const BoundExprPtr& condition : correlated_) {
    TRY(BoundExprPtr exported,
        Rewrite(condition, [&](const BoundExprPtr& part) -> Result<BoundExprPtr> {
          if (part->kind == BoundKind::kLiteral) return part;
          if (ReadsOuter(*part)) return part->kind == BoundKind::kColumn ? part : BoundExprPtr();
          BoundExpr column{.kind = BoundKind::kColumn,
                           .type = part->type,
                           .nullable = part->nullable,
                           .interval = part->interval,
                           .interval_origin = part->interval_origin,
                           .span = part->span,
                           .column = {kNodeScan, position(part)}};
          return std::make_shared<const BoundExpr>(std::move(column));
        }));
    conditions.push_back(std::move(exported));
  }
  return conditions;
}

Status BlockBinder::CheckShown() const {
  if (!relation_.owner) return Done{};
  if (use_.root && !items_.empty()) return RawRoot(items_.front(), view());
  const bool ordered = !order_by_.empty() || select_.limit || select_.offset;
  if (!ordered) return Done{};
  const std::string clause = select_.limit ? "LIMIT" : select_.offset ? "OFFSET" : "ORDER BY";
  return MakeError(ErrorCode::kUnstableOrder,
                   "the rows that " + clause + " gives would depend on other people's rows",
                   select_.span,
                   "leave it to the outer query, or number each person's rows:  row_number() OVER "
                   "(PARTITION BY unit ORDER BY …)");
}

Result<BoundBlock> BlockBinder::Project() {
  if (select_.privacy && !use_.root && groups_ != Groups::kDoor) {
    return MakeError(ErrorCode::kBadSetting, "these options are of no release",
                     select_.privacy->span,
                     "write them behind the SELECT that groups private rows, or the outermost one");
  }
  TRY_DONE(CheckShown());
  Projection body;
  body.distinct = select_.distinct;
  body.order_by = std::move(order_by_);
  TRY_DONE(SetLimits(body));
  if (!correlated_.empty() && (body.limit || body.offset)) {
    return NotYet("LIMIT in a correlated subquery", select_.span,
                  "aggregate it, or compare a unique key");
  }
  if (!use_.root && (body.limit || body.offset)) MakeOrderTotal(body);
  BoundBlock block{.node = nullptr, .shown = 0, .correlated = {}, .if_empty = if_empty_};
  std::vector<NamedExpr> columns = use_.exists ? std::vector<NamedExpr>() : items_;
  block.shown = columns.size();
  if (if_empty_) {
    columns.push_back({.name = "(found)", .expr = BooleanLiteral(true, {}), .hidden = true});
  }
  TRY(block.correlated, Export(columns));
  std::vector<BoundExprPtr> shown;
  for (const NamedExpr& column : columns) shown.push_back(column.expr);
  for (const BoundOrder& order : body.order_by) shown.push_back(order.expr);
  for (const BoundExprPtr& expr : shown) {
    if (!ReadsOuter(*expr)) continue;
    return NotYet("a column of the query around in this place", expr->span, "compare it in WHERE");
  }
  if (columns.empty()) {
    columns.push_back({.name = "(row)", .expr = BooleanLiteral(true, {}), .hidden = true});
  }
  if (body.distinct) TRY_DONE(CheckDistinctOrder(body));
  body.relation = std::move(relation_);
  TRY(block.node,
      MakeProjection(std::move(body), std::move(columns), use_.name, catalog_, select_.span));
  return block;
}

Result<NodePtr> BindCte(CteScope& scope, const Catalog& catalog) {
  if (scope.node) return scope.node;
  TRY(const BoundBlock block,
      BindBlock(*scope.cte->select, catalog, {.ctes = scope.outer, .name = scope.cte->name}));
  if (scope.cte->column_aliases.size() > block.shown) {
    return MakeError(ErrorCode::kUnknownColumn,
                     scope.cte->name + " has fewer columns than new names", scope.cte->span,
                     "give as many names as there are columns, or fewer");
  }
  scope.node = Renamed(block.node, scope.cte->column_aliases);
  return scope.node;
}

Result<BoundBlock> BindBlock(const ast::Select& select, const Catalog& catalog,
                             const BlockUse& use) {
  return BlockBinder(select, catalog, use).Run();
}

}  // namespace dpsql
