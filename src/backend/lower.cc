#include "backend/lower.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "backend/encode.h"
#include "backend/tree.h"
#include "base/check.h"

namespace dpsql {
namespace {

std::string ScanName(std::size_t scan) { return "s" + std::to_string(scan); }

bool IsWhole(const BoundExpr& expr) { return expr.type.family == TypeFamily::kInteger; }

ast::ExprPtr LowerLiteral(const BoundExpr& expr) {
  ast::ExprPtr literal = tree::Literal(expr.literal);
  switch (expr.type.family) {
    case TypeFamily::kDate:
      return tree::Cast(std::move(literal), "date");
    case TypeFamily::kTimestamp:
      return tree::Cast(std::move(literal), "timestamp");
    case TypeFamily::kUuid:
      return tree::Cast(std::move(literal), "uuid");
    default:
      return literal;
  }
}

// A number as DOUBLE, with NaN read as NULL.
ast::ExprPtr AsDouble(const BoundExpr& expr, const BoundQuery& query) {
  ast::ExprPtr number = tree::Cast(LowerExpr(expr, query), "float8");
  if (expr.type.family != TypeFamily::kFloat || expr.kind != BoundKind::kColumn) return number;
  return tree::Call("nullif", std::move(number), tree::Cast(tree::Text("nan"), "float8"));
}

// Numbers of different types meet as DOUBLE: a cast to a narrower exact type could fail on a row.
ast::ExprPtr AsComparable(const BoundExpr& expr, const BoundExpr& other, const BoundQuery& query) {
  const bool same = expr.type == other.type && expr.type.family != TypeFamily::kFloat;
  const bool whole = IsWhole(expr) && IsWhole(other);
  if (!expr.type.is_numeric() || same || whole) return LowerExpr(expr, query);
  return AsDouble(expr, query);
}

ast::ExprPtr LowerComparison(const BoundExpr& call, const BoundQuery& query) {
  const BoundExpr& left = *call.arguments[0];
  const BoundExpr& right = *call.arguments[1];
  return tree::Call(call.function, AsComparable(left, right, query),
                    AsComparable(right, left, query));
}

ast::ExprPtr LowerIn(const BoundExpr& call, const BoundQuery& query) {
  std::vector<ast::ExprPtr> equalities;
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    equalities.push_back(tree::Call("=",
                                    AsComparable(*call.arguments[0], *call.arguments[i], query),
                                    AsComparable(*call.arguments[i], *call.arguments[0], query)));
  }
  return tree::Logic(ast::LogicOp::kOr, std::move(equalities));
}

// The dialect's + - * are total: NULL where the database would fail.
ast::ExprPtr LowerArithmetic(const BoundExpr& call, const BoundQuery& query) {
  const auto operand = [&](std::size_t i) {
    const BoundExpr& argument = *call.arguments[i];
    return IsWhole(call) ? tree::Cast(LowerExpr(argument, query), "int8")
                         : AsDouble(argument, query);
  };
  ast::ExprPtr result = call.arguments.size() == 1
                            ? tree::Call(call.function, tree::Whole(0), operand(0))
                            : tree::Call(call.function, operand(0), operand(1));
  if (IsWhole(call)) return result;
  return tree::Call("nullif", std::move(result), tree::Cast(tree::Text("nan"), "float8"));
}

ast::ExprPtr LowerLogic(const BoundExpr& call, const BoundQuery& query) {
  std::vector<ast::ExprPtr> operands;
  for (const BoundExprPtr& argument : call.arguments) {
    operands.push_back(LowerExpr(*argument, query));
  }
  const ast::LogicOp op = call.function == "and"  ? ast::LogicOp::kAnd
                          : call.function == "or" ? ast::LogicOp::kOr
                                                  : ast::LogicOp::kNot;
  return tree::Logic(op, std::move(operands));
}

ast::ExprPtr LowerTest(const BoundExpr& call, const BoundQuery& query) {
  const BoundExpr& argument = *call.arguments[0];
  ast::ExprPtr present =
      tree::IsNotNull(argument.type.family == TypeFamily::kFloat ? AsDouble(argument, query)
                                                                 : LowerExpr(argument, query));
  if (call.function == "is not null") return present;
  std::vector<ast::ExprPtr> operand;
  operand.push_back(std::move(present));
  return tree::Logic(ast::LogicOp::kNot, std::move(operand));
}

ast::ExprPtr LowerCall(const BoundExpr& call, const BoundQuery& query) {
  const std::string& name = call.function;
  if (name == "and" || name == "or" || name == "not") return LowerLogic(call, query);
  if (name == "is null" || name == "is not null") return LowerTest(call, query);
  if (name == "in") return LowerIn(call, query);
  if (name == "+" || name == "-" || name == "*") return LowerArithmetic(call, query);
  return LowerComparison(call, query);
}

// The argument of an aggregate: numbers as DOUBLE, so that presence and value agree on NaN.
ast::ExprPtr LowerArgument(const BoundExpr& argument, const BoundQuery& query) {
  return argument.type.is_numeric() ? AsDouble(argument, query) : LowerExpr(argument, query);
}

// Keys travel as boolean, BIGINT or canonical text.
ast::ExprPtr LowerKey(const BoundExpr& key, const BoundQuery& query) {
  ast::ExprPtr expr = LowerExpr(key, query);
  if (key.type.family == TypeFamily::kBoolean) return expr;
  return tree::Cast(std::move(expr), IsWhole(key) ? "int8" : "text");
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

ast::ExprPtr LowerExpr(const BoundExpr& expr, const BoundQuery& query) {
  switch (expr.kind) {
    case BoundKind::kLiteral:
      return LowerLiteral(expr);
    case BoundKind::kColumn:
      return tree::Column(ScanName(expr.column.scan), query.column(expr.column).name);
    case BoundKind::kCall:
      return LowerCall(expr, query);
  }
  throw Bug("every kind of expression is lowered");
}

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
