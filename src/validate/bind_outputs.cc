#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/bind_aggregate.h"
#include "validate/bind_window.h"
#include "validate/block_binder.h"
#include "validate/exact_aggregates.h"
#include "validate/select_items.h"

namespace dpsql {
namespace {

// A stand-in for a part of the block that has no place in a relation yet.
BoundExprPtr StandIn(BoundColumn at, const Type& type, bool nullable, SourceSpan span) {
  return std::make_shared<const BoundExpr>(BoundExpr{
      .kind = BoundKind::kColumn, .type = type, .nullable = nullable, .span = span, .column = at});
}

bool SameDoorAggregate(const BoundAggregate& a, const BoundAggregate& b) {
  const auto same = [](const BoundedArgument& x, const BoundedArgument& y) {
    return SameArgument(x.expr, y.expr) && x.bounds.low == y.bounds.low &&
           x.bounds.high == y.bounds.high;
  };
  return a.aggregate == b.aggregate && std::equal(a.arguments.begin(), a.arguments.end(),
                                                  b.arguments.begin(), b.arguments.end(), same);
}

// Where an item stands in a list, behind the others if it is new.
template <typename Item, typename Same>
std::size_t FindOrAdd(std::vector<Item>& list, Item item, Same same) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (same(list[i], item)) return i;
  }
  list.push_back(std::move(item));
  return list.size() - 1;
}

}  // namespace

Status BlockBinder::BindOutputs() {
  TRY_DONE(BindItems());
  if (select_.having) {
    const std::size_t windows = windows_.size();
    TRY(const BoundExprPtr having, BindCondition(*select_.having, scope_, this));
    if (windows_.size() != windows) {
      return MakeError(ErrorCode::kMisplacedAggregate, "a window may not stand here",
                       window_spans_.back(), "windows belong in the select list and in ORDER BY");
    }
    AppendConjuncts(having, having_);
  }
  return BindOrder();
}

Status BlockBinder::BindItems() {
  for (const ast::SelectItem& item : select_.items) {
    if (const auto* star = std::get_if<ast::Star>(&item.expr->node)) {
      TRY_DONE(AddStar(*star, item.expr->span));
      continue;
    }
    if (use_.exists && std::holds_alternative<ast::Null>(item.expr->node)) continue;
    const auto key = std::find(key_texts_.begin(), key_texts_.end(), item.expr.get());
    BoundExprPtr bound;
    if (key != key_texts_.end()) {
      bound = keys_[static_cast<std::size_t>(key - key_texts_.begin())];
    } else {
      TRY(bound, BindExpr(*item.expr, scope_, this));
    }
    const std::string name = item.alias.empty() ? DefaultName(*item.expr) : item.alias;
    items_.push_back({.name = name, .expr = std::move(bound)});
  }
  return Done{};
}

Status BlockBinder::AddStar(const ast::Star& star, SourceSpan span) {
  if (use_.exists) return Done{};
  if (use_.root && relation_.owner) {
    return MakeError(ErrorCode::kRawColumn, "* would show rows of people", span);
  }
  const std::vector<VisibleColumn> columns = scope_.Star(star);
  for (const VisibleColumn& column : columns) {
    items_.push_back({.name = column.name, .expr = scope_.Value(column, span)});
  }
  if (!columns.empty()) return Done{};
  return MakeError(ErrorCode::kUnknownTable, "no table of this name is in FROM", span);
}

Status BlockBinder::BindOrder() {
  for (const ast::OrderItem& item : select_.order_by) TRY_DONE(BindOrderItem(item));
  return Done{};
}

// ORDER BY 1 and ORDER BY an output's name mean that output; other expressions are over FROM.
Status BlockBinder::BindOrderItem(const ast::OrderItem& item) {
  BoundOrder order{.expr = nullptr,
                   .descending = item.descending,
                   .nulls_first = item.nulls_first.value_or(item.descending)};
  if (const auto* number = std::get_if<ast::Number>(&item.expr->node)) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (number->text == std::to_string(i + 1)) order.expr = items_[i].expr;
    }
    if (!order.expr) {
      return MakeError(ErrorCode::kUnknownColumn, "the select list has no such position",
                       item.expr->span);
    }
  }
  const auto* name = std::get_if<ast::ColumnRef>(&item.expr->node);
  if (name != nullptr && name->parts.size() == 1) {
    for (const NamedExpr& output : items_) {
      if (!order.expr && SameName(output.name, name->parts[0])) order.expr = output.expr;
    }
  }
  if (!order.expr) {
    TRY(order.expr, BindExpr(*item.expr, scope_, select_.set_operation ? nullptr : this));
  }
  order_by_.push_back(std::move(order));
  return Done{};
}

Result<BoundExprPtr> BlockBinder::BindAggregate(const ast::Call& call, SourceSpan span) {
  RowHooks hooks(*row_subqueries_);
  if (groups_ == Groups::kDoor) {
    TRY(BoundAggregate bound, dpsql::BindAggregate(call, span, scope_, relation_, &hooks));
    const Type type = ParseType(std::string(bound.aggregate->result_type));
    const std::size_t at = FindOrAdd(door_aggregates_, std::move(bound), SameDoorAggregate);
    return StandIn({kAggregateScan, at}, type, true, span);
  }
  TRY(ExactAggregate bound,
      BindExactAggregate(call, span, scope_, &hooks, relation_.owner.has_value()));
  const Type type = bound.type;
  const bool nullable = bound.function != "count";
  const std::size_t at = FindOrAdd(exact_aggregates_, std::move(bound), SameAggregate);
  return StandIn({kAggregateScan, at}, type, nullable, span);
}

Result<BoundExprPtr> BlockBinder::BindWindow(const ast::Call& call, SourceSpan span) {
  TRY(WindowCall window, BindWindowCall(call, span, select_.windows, scope_, this));
  const Type type = window.type;
  windows_.push_back(std::move(window));
  window_spans_.push_back(span);
  return StandIn({kWindowScan, windows_.size() - 1}, type, true, span);
}

Result<BoundExprPtr> BlockBinder::BindSubquery(const ast::Subquery& subquery, SourceSpan span) {
  return output_subqueries_->Bind(subquery, span);
}

}  // namespace dpsql
