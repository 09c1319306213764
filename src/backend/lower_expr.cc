#include "backend/lower_expr.h"

#include <utility>

#include "backend/tree.h"
#include "base/check.h"

namespace dpsql {
namespace {

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

}  // namespace

std::string ScanName(std::size_t scan) { return "s" + std::to_string(scan); }

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

ast::ExprPtr LowerArgument(const BoundExpr& argument, const BoundQuery& query) {
  return argument.type.is_numeric() ? AsDouble(argument, query) : LowerExpr(argument, query);
}

}  // namespace dpsql
