#include "backend/lower.h"

#include <utility>

#include "backend/encode.h"
#include "backend/lower_expr.h"
#include "backend/lower_node.h"
#include "backend/tree.h"

namespace dpsql {
namespace {

// Keys travel as boolean, BIGINT or canonical text.
ast::ExprPtr LowerKey(const BoundExpr& key, const LowerScope& query) {
  ast::ExprPtr expr = LowerExpr(key, query);
  if (key.type.family == TypeFamily::kBoolean) return expr;
  return tree::Cast(std::move(expr), key.type.family == TypeFamily::kInteger ? "int8" : "text");
}

void AddGroup(ast::Select& select, ast::ExprPtr expr) {
  ast::GroupItem item;
  item.expr = std::move(expr);
  select.group_by.push_back(std::move(item));
}

LowerScope ScopeOf(const Door& door) {
  return {door.query->relation, *door.query->catalog, *door.numbers};
}

// Writes the part that both stages share.
class DoorLowering {
 public:
  explicit DoorLowering(const Door& door) : keys_(door.query->keys), scope_(ScopeOf(door)) {}

  ast::Select Lower(std::vector<ast::ExprPtr> columns) {
    ast::Select select;
    select.items.push_back({.expr = Owner(), .alias = "u"});
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      select.items.push_back(
          {.expr = LowerKey(*keys_[i].expr, scope_), .alias = "k" + std::to_string(i)});
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      select.items.push_back({.expr = std::move(columns[i]), .alias = "x" + std::to_string(i)});
    }
    select.from = LowerFrom(scope_);
    select.where = tree::Logic(ast::LogicOp::kAnd, Conditions());
    AddGroup(select, Owner());
    for (const BoundKey& key : keys_) AddGroup(select, LowerKey(*key.expr, scope_));
    select.order_by.push_back({.expr = Owner()});
    return select;
  }

 private:
  ast::ExprPtr Owner() const { return tree::Cast(LowerOwner(scope_), "text"); }

  // The block's conditions, and the owner's lists of values.
  std::vector<ast::ExprPtr> Conditions() const {
    std::vector<ast::ExprPtr> conditions = LowerConditions(scope_);
    for (const BoundKey& key : keys_) {
      if (key.values.empty()) continue;
      std::vector<ast::ExprPtr> allowed;
      for (const Value& value : key.values) {
        allowed.push_back(tree::Call("=", LowerExpr(*key.expr, scope_), tree::Literal(value)));
      }
      conditions.push_back(tree::Logic(ast::LogicOp::kOr, std::move(allowed)));
    }
    return conditions;
  }

  const std::vector<BoundKey>& keys_;
  LowerScope scope_;
};

}  // namespace

ast::Select LowerCount(const Door& door) {
  std::vector<ast::ExprPtr> columns;
  for (const CellClass& cell_class : door.classes) {
    columns.push_back(cell_class.argument
                          ? tree::Call("bool_or", tree::IsNotNull(LowerArgument(
                                                      *cell_class.argument, ScopeOf(door))))
                          : tree::True());
  }
  return DoorLowering(door).Lower(std::move(columns));
}

ast::Select LowerSum(const Door& door) {
  std::vector<ast::ExprPtr> columns;
  for (const Statistic& statistic : door.statistics) {
    if (statistic.kind == StatisticKind::kUnits) continue;
    const BoundExprPtr& counted =
        statistic.argument ? statistic.argument : door.classes[statistic.cell_class].argument;
    if (statistic.kind != StatisticKind::kValue) {
      columns.push_back(counted ? tree::Call("count", LowerArgument(*counted, ScopeOf(door)))
                                : tree::CountStar());
    }
    if (statistic.kind == StatisticKind::kRows) continue;
    const auto argument = [&] { return LowerArgument(*statistic.argument, ScopeOf(door)); };
    columns.push_back(tree::Call("sum", EncodeValue(statistic, argument)));
  }
  return DoorLowering(door).Lower(std::move(columns));
}

ast::Select LowerAnswer(const DpPlan& plan) {
  return LowerNode(plan.query().root(), plan.query().catalog(), plan.door_numbers(),
                   Ends::kLeftOut);
}

}  // namespace dpsql
