#include "backend/lower.h"

#include <utility>

#include "backend/encode.h"
#include "backend/lower_expr.h"
#include "backend/tree.h"

namespace dpsql {
namespace {

// Keys travel as boolean, BIGINT or canonical text.
ast::ExprPtr LowerKey(const BoundExpr& key, const BoundQuery& query) {
  ast::ExprPtr expr = LowerExpr(key, query);
  if (key.type.family == TypeFamily::kBoolean) return expr;
  return tree::Cast(std::move(expr), key.type.family == TypeFamily::kInteger ? "int8" : "text");
}

// Writes the part that both stages share.
class DoorLowering {
 public:
  explicit DoorLowering(const Door& door) : query_(*door.query) {}

  ast::Select Lower(std::vector<ast::ExprPtr> columns) {
    ast::Select select;
    select.items.push_back({.expr = Owner(), .alias = "u"});
    for (std::size_t i = 0; i < query_.keys().size(); ++i) {
      select.items.push_back(
          {.expr = LowerKey(*query_.keys()[i].expr, query_), .alias = "k" + std::to_string(i)});
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      select.items.push_back({.expr = std::move(columns[i]), .alias = "x" + std::to_string(i)});
    }
    for (std::size_t s = 0; s < query_.relation().scans.size(); ++s) {
      select.from.push_back(
          {.node = ast::TableName{.parts = {"main", query_.table(query_.relation().scans[s]).name}},
           .alias = ScanName(s),
           .column_aliases = {},
           .span = {}});
    }
    select.where = tree::Logic(ast::LogicOp::kAnd, Conditions());
    AddGroup(select, Owner());
    for (const BoundKey& key : query_.keys()) AddGroup(select, LowerKey(*key.expr, query_));
    select.order_by.push_back({.expr = Owner()});
    return select;
  }

 private:
  static void AddGroup(ast::Select& select, ast::ExprPtr expr) {
    ast::GroupItem item;
    item.expr = std::move(expr);
    select.group_by.push_back(std::move(item));
  }

  ast::ExprPtr OwnerColumn() const {
    const BoundColumn at = query_.relation().owner->column;
    return tree::Column(ScanName(at.scan), query_.column(at).name);
  }
  ast::ExprPtr Owner() const { return tree::Cast(OwnerColumn(), "text"); }

  // The query's own conditions, an owner for every row, and the owner's lists of values.
  std::vector<ast::ExprPtr> Conditions() const {
    std::vector<ast::ExprPtr> conditions;
    conditions.push_back(tree::IsNotNull(OwnerColumn()));
    for (const BoundExprPtr& condition : query_.relation().conditions) {
      conditions.push_back(LowerExpr(*condition, query_));
    }
    for (const BoundKey& key : query_.keys()) {
      if (key.values.empty()) continue;
      std::vector<ast::ExprPtr> allowed;
      for (const Value& value : key.values) {
        allowed.push_back(tree::Call("=", LowerExpr(*key.expr, query_), tree::Literal(value)));
      }
      conditions.push_back(tree::Logic(ast::LogicOp::kOr, std::move(allowed)));
    }
    return conditions;
  }

  const BoundQuery& query_;
};

}  // namespace

ast::Select LowerCount(const Door& door) {
  std::vector<ast::ExprPtr> columns;
  for (const CellClass& cell_class : door.classes) {
    columns.push_back(cell_class.argument
                          ? tree::Call("bool_or", tree::IsNotNull(LowerArgument(
                                                      *cell_class.argument, *door.query)))
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
      columns.push_back(counted ? tree::Call("count", LowerArgument(*counted, *door.query))
                                : tree::CountStar());
    }
    if (statistic.kind == StatisticKind::kRows) continue;
    const auto argument = [&] { return LowerArgument(*statistic.argument, *door.query); };
    columns.push_back(tree::Call("sum", EncodeValue(statistic, argument)));
  }
  return DoorLowering(door).Lower(std::move(columns));
}

}  // namespace dpsql
