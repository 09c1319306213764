#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dpsql/value.h"
#include "sql/ast.h"

// Small words to build syntax trees with.
namespace dpsql::tree {

ast::ExprPtr Column(std::string table, std::string column);
ast::ExprPtr Column(std::string column);  // one of the statement's own
ast::ExprPtr Text(std::string value);
ast::ExprPtr Whole(std::int64_t value);
ast::ExprPtr Real(double value);  // exact: printed with an exponent, read back as the same DOUBLE
ast::ExprPtr True();
ast::ExprPtr Null();
ast::ExprPtr Literal(const Value& value);
ast::ExprPtr CountStar();
ast::ExprPtr Cast(ast::ExprPtr operand, std::string type);
ast::ExprPtr IsNotNull(ast::ExprPtr operand);
ast::ExprPtr When(ast::ExprPtr condition, ast::ExprPtr result, ast::ExprPtr otherwise);
ast::ExprPtr Case(std::vector<ast::WhenClause> when, ast::ExprPtr otherwise);
ast::ExprPtr Test(ast::TestKind kind, bool negated, ast::ExprPtr operand);
ast::ExprPtr CallOf(std::string name, std::vector<ast::ExprPtr> arguments);
ast::ExprPtr In(ast::ExprPtr operand, std::vector<ast::ExprPtr> items);
ast::ExprPtr Logic(ast::LogicOp op, std::vector<ast::ExprPtr> operands);

template <typename... Arguments>
ast::ExprPtr Call(std::string name, Arguments... arguments) {
  ast::Call call{.name = std::move(name)};
  (call.arguments.push_back({.name = "", .value = std::move(arguments)}), ...);
  return std::make_unique<ast::Expr>(ast::Expr{.node = std::move(call), .span = {}});
}

// call OVER (PARTITION BY partition ORDER BY order).
ast::ExprPtr Over(ast::ExprPtr call, std::vector<ast::ExprPtr> partition,
                  std::vector<ast::ExprPtr> order = {});

// "k3"
std::string Numbered(const char* letter, std::size_t number);

void AddItem(ast::Select& select, ast::ExprPtr expr, std::string alias);
void AddGroup(ast::Select& select, ast::ExprPtr expr);

// A query as a table under the name r.
ast::From AsTable(ast::Select inner);

}  // namespace dpsql::tree
