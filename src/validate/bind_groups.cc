#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "validate/ast_walk.h"
#include "validate/bind_window.h"
#include "validate/block_binder.h"
#include "validate/literals.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"
#include "validate/rules.h"
#include "validate/select_items.h"

namespace dpsql {
namespace {

bool HasAggregate(const ast::Expr& expr) {
  return AnyAstPart(expr, [](const ast::Expr& part) {
    const auto* call = std::get_if<ast::Call>(&part.node);
    return call != nullptr && IsAggregateCall(*call);
  });
}

bool ReadsBlock(const BoundExpr& expr) {
  return AnyPart(expr, [](const BoundExpr& part) {
    return part.kind == BoundKind::kExists ||
           (part.kind == BoundKind::kColumn && !IsOuter(part.column));
  });
}

bool Determined(const BoundExpr& expr, const Relation& relation) {
  if (expr.kind == BoundKind::kExists) return false;
  if (expr.kind == BoundKind::kColumn) return relation.determined[expr.column.scan];
  return std::all_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& argument) { return Determined(*argument, relation); });
}

}  // namespace

bool BlockBinder::IsGrouped() const {
  if (!select_.group_by.empty() || select_.having) return true;
  const auto in_item = [](const ast::SelectItem& item) { return HasAggregate(*item.expr); };
  const auto in_order = [](const ast::OrderItem& item) { return HasAggregate(*item.expr); };
  const auto in_list = [](const ast::ExprPtr& expr) { return HasAggregate(*expr); };
  const auto in_window = [&](const ast::Window& window) {
    return std::any_of(window.partition_by.begin(), window.partition_by.end(), in_list) ||
           std::any_of(window.order_by.begin(), window.order_by.end(), in_order);
  };
  return std::any_of(select_.items.begin(), select_.items.end(), in_item) ||
         std::any_of(select_.order_by.begin(), select_.order_by.end(), in_order) ||
         std::any_of(select_.windows.begin(), select_.windows.end(), in_window);
}

// Decides what a grouping is: exact over public rows and within units, a door over private rows.
Status BlockBinder::BindKeys() {
  if (!IsGrouped()) return Done{};
  for (const ast::GroupItem& item : select_.group_by) {
    if (item.kind != ast::GroupingKind::kExpr) {
      return NotYet("GROUPING SETS, ROLLUP and CUBE", item.span, "ask once for each grouping");
    }
    TRY(const ast::Expr* const expr, GroupExpr(*item.expr, select_, scope_));
    RowHooks hooks(*row_subqueries_);
    TRY(BoundExprPtr bound, BindExpr(*expr, scope_, &hooks));
    if (ReadsOuter(*bound)) return NotYet("a column of the query around in GROUP BY", bound->span);
    const auto same = [&](const BoundExprPtr& key) { return SameExpr(*key, *bound); };
    if (std::any_of(keys_.begin(), keys_.end(), same)) continue;
    keys_.push_back(std::move(bound));
    key_texts_.push_back(expr);
  }
  TRY_DONE(AttachToRows());
  if (!correlated_.empty()) TRY_DONE(AddCorrelatedKeys());
  const auto holds_unit = [&](const BoundExprPtr& key) { return HoldsUnit(*key, relation_); };
  const auto unit_key = std::find_if(keys_.begin(), keys_.end(), holds_unit);
  const bool per_unit = unit_key != keys_.end();
  if (per_unit && use_.root) {
    return MakeError(ErrorCode::kUnitReleased, "a group key may not be the privacy unit",
                     (*unit_key)->span);
  }
  groups_ = relation_.owner && !per_unit ? Groups::kDoor : Groups::kExact;
  if (groups_ == Groups::kDoor || !relation_.owner) return Done{};
  for (const BoundExprPtr& key : keys_) {
    if (IsExactType(key->type)) continue;
    return MakeError(ErrorCode::kInexactKey, "groups of type " + key->type.name + " are not exact",
                     key->span);
  }
  return Done{};
}

// A correlated aggregate, for all rows of the query around at once: grouped by what is compared
// with them, and joined on it. Over private rows it is of one unit's rows, so the owner is a key.
Status BlockBinder::AddCorrelatedKeys() {
  const bool implicit = select_.group_by.empty();
  if (use_.exists || (implicit && (!use_.scalar || select_.having))) {
    return NotYet("this aggregate in a correlated subquery", select_.span,
                  "GROUP BY the compared columns in FROM, and join the result");
  }
  for (const BoundExprPtr& condition : correlated_) {
    const bool equality = condition->function == "=" && condition->arguments.size() == 2;
    const BoundExprPtr& x = equality ? condition->arguments[0] : condition;
    const BoundExprPtr& y = equality ? condition->arguments[1] : condition;
    const bool x_inner = !ReadsOuter(*x) && !ReadsBlock(*y);
    const bool y_inner = !ReadsOuter(*y) && !ReadsBlock(*x);
    if (!x_inner && !y_inner) {
      return NotYet("an aggregate that is correlated by more than equality", condition->span,
                    "compare a column of the subquery with one of the query around by =");
    }
    keys_.push_back(x_inner ? x : y);
  }
  const auto holds_unit = [&](const BoundExprPtr& key) { return HoldsUnit(*key, relation_); };
  if (!relation_.owner || std::any_of(keys_.begin(), keys_.end(), holds_unit)) return Done{};
  keys_.push_back(ColumnExpr(relation_.scans, catalog_, relation_.owner->column, select_.span));
  return Done{};
}

Error BlockBinder::NotAggregated(const BoundExpr& expr) const {
  if (groups_ != Groups::kDoor) {
    return MakeError(ErrorCode::kRawColumn,
                     "the value " + Describe(expr, view()) + " is neither grouped nor aggregated",
                     expr.span, "put it into GROUP BY, or aggregate it");
  }
  if (ReadsUnit(expr, relation_)) {
    return MakeError(ErrorCode::kUnitReleased, "a privacy unit is never shown", expr.span);
  }
  return MakeError(ErrorCode::kRawColumn,
                   "the value " + Describe(expr, view()) + " would show rows of people", expr.span);
}

Result<BoundExprPtr> BlockBinder::Regroup(const BoundExprPtr& part, const Scan& groups) const {
  const std::vector<Scan> scans = {groups};
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (SameExpr(*keys_[i], *part)) return ColumnExpr(scans, catalog_, {0, i}, part->span);
  }
  if (part->kind == BoundKind::kCall) return BoundExprPtr();
  if (part->kind != BoundKind::kColumn) return part;
  if (part->column.scan == kAggregateScan) {
    return ColumnExpr(scans, catalog_, {0, keys_.size() + part->column.column}, part->span);
  }
  const bool waits = part->column.scan == kWindowScan || IsSubquery(part->column);
  if (waits || IsOuter(part->column)) return part;
  return NotAggregated(*part);
}

Result<NodePtr> BlockBinder::MakeDoor() {
  if (door_aggregates_.empty()) {
    return NotYet("a query without an aggregate", select_.span, "add COUNT(*) to the select list");
  }
  for (const Scan& scan : relation_.scans) {
    if (!scan.node || scan.node->stable) continue;
    return MakeError(
        ErrorCode::kUnstableOrder,
        "a public query among private rows could give other rows when it is read again", scan.span,
        "without LIMIT over rows that are ordered alike, and without sums of floats, "
        "it is the same each time");
  }
  BoundDoor door{.catalog = &catalog_,
                 .relation = relation_,
                 .keys = {},
                 .aggregates = door_aggregates_,
                 .options = use_.root ? std::nullopt : select_.privacy,
                 .span = select_.span};
  for (const BoundExprPtr& expr : keys_) {
    BoundKey key{.expr = expr, .values = {}, .determined = Determined(*expr, relation_)};
    if (expr->kind == BoundKind::kColumn) key.values = view().column(expr->column).values;
    door.keys.push_back(std::move(key));
  }
  TRY_DONE(ApplyRules(door));
  std::vector<std::string> names;
  for (const BoundExprPtr& key : keys_) names.push_back(Describe(*key, view()));
  for (const BoundAggregate& bound : door_aggregates_) {
    names.emplace_back(bound.aggregate->function);
  }
  return MakeRelease(std::make_shared<const BoundDoor>(std::move(door)), names, select_.span);
}

Status BlockBinder::MakeGroups() {
  if (groups_ == Groups::kNone) {
    return AttachToOutputs(
        [](const BoundExprPtr&) -> Result<BoundExprPtr> { return BoundExprPtr(); });
  }
  Scan groups{.alias = groups_ == Groups::kDoor ? "(release)" : "(groups)", .span = select_.span};
  if (groups_ == Groups::kDoor) {
    TRY(groups.node, MakeDoor());
  } else {
    std::vector<std::string> names;
    for (const BoundExprPtr& key : keys_) names.push_back(Describe(*key, view()));
    for (const ExactAggregate& bound : exact_aggregates_) names.push_back(bound.function);
    TRY(groups.node,
        MakeGrouping({.relation = relation_, .keys = keys_, .aggregates = exact_aggregates_},
                     std::move(names), catalog_, select_.span));
  }
  TRY_DONE(FindIfEmpty());
  const auto regroup = [&](const BoundExprPtr& part) { return Regroup(part, groups); };
  TRY_DONE(RewriteOutputs(regroup));
  for (BoundExprPtr& condition : having_) {
    if (ReadsOuter(*condition)) {
      return NotYet("a column of the query around in HAVING", condition->span,
                    "compare it in WHERE");
    }
    TRY(condition, Rewrite(condition, regroup));
  }
  for (BoundExprPtr& condition : correlated_) {
    TRY(condition, Rewrite(condition, regroup));
  }
  Relation over_groups;
  over_groups.scans = {groups};
  over_groups.conditions = having_;
  TRY_DONE(ResolveOwnership(catalog_, over_groups));
  // The rewrite of a subquery's conditions reads the rows of FROM, so it comes before they go.
  Relation rows = std::exchange(relation_, std::move(over_groups));
  return AttachToOutputs([&](const BoundExprPtr& part) -> Result<BoundExprPtr> {
    std::swap(rows, relation_);
    Result<BoundExprPtr> regrouped = regroup(part);
    std::swap(rows, relation_);
    return regrouped;
  });
}

// Where no row is found, counts are 0 and all other aggregates are NULL.
Status BlockBinder::FindIfEmpty() {
  const bool implicit = !correlated_.empty() && select_.group_by.empty();
  if (!implicit || items_.size() != 1) return Done{};
  TRY(BoundExprPtr empty,
      Rewrite(items_[0].expr, [&](const BoundExprPtr& part) -> Result<BoundExprPtr> {
        const bool aggregate =
            part->kind == BoundKind::kColumn && part->column.scan == kAggregateScan;
        if (!aggregate) return BoundExprPtr();
        const bool count = exact_aggregates_[part->column.column].function == "count";
        return count ? WholeLiteral(0, part->span) : NullLiteral(part->type, part->span);
      }));
  if (ReadsBlock(*empty)) {
    return NotYet("a column beside a correlated aggregate", items_[0].expr->span,
                  "select the aggregate alone; what it is compared with is known outside");
  }
  const bool null = std::holds_alternative<std::monostate>(empty->literal);
  if (empty->kind != BoundKind::kLiteral || !null) if_empty_ = std::move(empty);
  return Done{};
}

Status BlockBinder::RewriteOutputs(const Replace& replace) {
  const auto rewrite = [&](BoundExprPtr& expr) -> Status {
    TRY(expr, Rewrite(expr, replace));
    return Done{};
  };
  for (NamedExpr& item : items_) TRY_DONE(rewrite(item.expr));
  for (BoundOrder& order : order_by_) TRY_DONE(rewrite(order.expr));
  for (WindowCall& window : windows_) {
    for (BoundExprPtr& argument : window.arguments) TRY_DONE(rewrite(argument));
    for (BoundExprPtr& expr : window.partition_by) TRY_DONE(rewrite(expr));
    for (BoundOrder& order : window.order_by) TRY_DONE(rewrite(order.expr));
  }
  return Done{};
}

// What the block reads of a row: the windows keep no more of it.
std::vector<BoundExprPtr> BlockBinder::CollectInputs() const {
  std::vector<BoundExprPtr> inputs;
  const std::function<void(const BoundExprPtr&)> collect = [&](const BoundExprPtr& expr) {
    const bool leaf = expr->kind == BoundKind::kColumn || expr->kind == BoundKind::kExists;
    if (leaf && expr->column.scan != kWindowScan && !IsOuter(expr->column)) {
      const auto same = [&](const BoundExprPtr& input) { return SameExpr(*input, *expr); };
      if (std::none_of(inputs.begin(), inputs.end(), same)) inputs.push_back(expr);
    }
    for (const BoundExprPtr& argument : expr->arguments) collect(argument);
  };
  if (relation_.owner) {
    collect(ColumnExpr(relation_.scans, catalog_, relation_.owner->column, select_.span));
  }
  for (const NamedExpr& item : items_) collect(item.expr);
  for (const BoundOrder& order : order_by_) collect(order.expr);
  for (const WindowCall& window : windows_) {
    for (const BoundExprPtr& argument : window.arguments) collect(argument);
    for (const BoundExprPtr& expr : window.partition_by) collect(expr);
    for (const BoundOrder& order : window.order_by) collect(order.expr);
  }
  return inputs;
}

// A window is over the rows of its own block, and not over other windows.
Status BlockBinder::CheckWindowParts() const {
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    std::vector<BoundExprPtr> parts = windows_[i].arguments;
    parts.insert(parts.end(), windows_[i].partition_by.begin(), windows_[i].partition_by.end());
    for (const BoundOrder& order : windows_[i].order_by) parts.push_back(order.expr);
    for (const BoundExprPtr& expr : parts) {
      if (ReadsOuter(*expr)) {
        return NotYet("a column of the query around in a window", window_spans_[i],
                      "join the result instead");
      }
      const bool nested =
          AnyPart(*expr, [](const BoundExpr& part) { return part.column.scan == kWindowScan; });
      if (!nested) continue;
      return MakeError(ErrorCode::kMisplacedAggregate, "a window may not stand here",
                       window_spans_[i], "windows do not nest: use a subquery in FROM");
    }
  }
  return Done{};
}

Status BlockBinder::MakeWindows() {
  if (windows_.empty()) return Done{};
  if (!correlated_.empty()) {
    return NotYet("a window in a correlated subquery", select_.span, "join the result instead");
  }
  TRY_DONE(CheckWindowParts());
  const std::vector<BoundExprPtr> inputs = CollectInputs();
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    if (relation_.owner)
      TRY_DONE(CheckUnitWindow(windows_[i], relation_, inputs, window_spans_[i]));
    if (!relation_.owner && !use_.root) SettleWindow(windows_[i], inputs);
  }
  TRY(NodePtr node, MakeWindowing({.relation = relation_, .inputs = inputs, .windows = windows_},
                                  catalog_, select_.span));
  const std::vector<Scan> scans = {
      {.node = std::move(node), .alias = "(windows)", .span = select_.span}};
  TRY_DONE(RewriteOutputs([&](const BoundExprPtr& part) -> Result<BoundExprPtr> {
    if (part->kind == BoundKind::kCall || part->kind == BoundKind::kLiteral) return BoundExprPtr();
    if (part->column.scan == kWindowScan) {
      return ColumnExpr(scans, catalog_, {0, inputs.size() + part->column.column}, part->span);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (SameExpr(*inputs[i], *part)) return ColumnExpr(scans, catalog_, {0, i}, part->span);
    }
    return part;
  }));
  relation_ = Relation();
  relation_.scans = scans;
  return ResolveOwnership(catalog_, relation_);
}

}  // namespace dpsql
