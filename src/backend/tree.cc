#include "backend/tree.h"

#include <array>
#include <charconv>

#include "base/check.h"

namespace dpsql::tree {
namespace {

template <typename Node>
ast::ExprPtr Make(Node node) {
  return std::make_unique<ast::Expr>(ast::Expr{.node = std::move(node), .span = {}});
}

}  // namespace

ast::ExprPtr Column(std::string table, std::string column) {
  return Make(ast::ColumnRef{.parts = {std::move(table), std::move(column)}});
}

ast::ExprPtr Column(std::string column) {
  return Make(ast::ColumnRef{.parts = {std::move(column)}});
}

ast::ExprPtr Text(std::string value) { return Make(ast::String{.value = std::move(value)}); }

ast::ExprPtr Whole(std::int64_t value) { return Make(ast::Number{.text = std::to_string(value)}); }

ast::ExprPtr Real(double value) {
  std::array<char, 40> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  Check(error == std::errc(), "a finite number has a text");
  return Make(ast::Number{.text = std::string(text.data(), end)});
}

ast::ExprPtr True() { return Make(ast::Boolean{.value = true}); }
ast::ExprPtr Null() { return Make(ast::Null{}); }

ast::ExprPtr Literal(const Value& value) {
  struct Maker {
    ast::ExprPtr operator()(std::monostate) const { return Null(); }
    ast::ExprPtr operator()(bool flag) const { return Make(ast::Boolean{.value = flag}); }
    ast::ExprPtr operator()(std::int64_t number) const { return Whole(number); }
    ast::ExprPtr operator()(double number) const { return Real(number); }
    ast::ExprPtr operator()(const std::string& text) const { return Text(text); }
  };
  return std::visit(Maker{}, value);
}

ast::ExprPtr CountStar() { return Make(ast::Call{.name = "count", .star = true}); }

ast::ExprPtr Cast(ast::ExprPtr operand, std::string type) {
  return Make(ast::Cast{.operand = std::move(operand), .type = {.name = std::move(type)}});
}

ast::ExprPtr IsNotNull(ast::ExprPtr operand) {
  return Make(
      ast::Test{.kind = ast::TestKind::kNull, .negated = true, .operand = std::move(operand)});
}

ast::ExprPtr When(ast::ExprPtr condition, ast::ExprPtr result, ast::ExprPtr otherwise) {
  ast::Case node;
  node.when.push_back({.condition = std::move(condition), .result = std::move(result)});
  node.otherwise = std::move(otherwise);
  return Make(std::move(node));
}

ast::ExprPtr Case(std::vector<ast::WhenClause> when, ast::ExprPtr otherwise) {
  return Make(
      ast::Case{.operand = nullptr, .when = std::move(when), .otherwise = std::move(otherwise)});
}

ast::ExprPtr Test(ast::TestKind kind, bool negated, ast::ExprPtr operand) {
  return Make(ast::Test{.kind = kind, .negated = negated, .operand = std::move(operand)});
}

ast::ExprPtr CallOf(std::string name, std::vector<ast::ExprPtr> arguments) {
  ast::Call call{.name = std::move(name)};
  for (ast::ExprPtr& argument : arguments) {
    call.arguments.push_back({.name = "", .value = std::move(argument)});
  }
  return Make(std::move(call));
}

ast::ExprPtr In(ast::ExprPtr operand, std::vector<ast::ExprPtr> items) {
  return Make(
      ast::InList{.negated = false, .operand = std::move(operand), .items = std::move(items)});
}

ast::ExprPtr Logic(ast::LogicOp op, std::vector<ast::ExprPtr> operands) {
  return Make(ast::Logic{.op = op, .operands = std::move(operands)});
}

ast::ExprPtr Over(ast::ExprPtr call, std::vector<ast::ExprPtr> partition,
                  std::vector<ast::ExprPtr> order) {
  ast::Window window;
  window.partition_by = std::move(partition);
  for (ast::ExprPtr& expr : order) window.order_by.push_back({.expr = std::move(expr)});
  std::get<ast::Call>(call->node).over = std::move(window);
  return call;
}

std::string Numbered(const char* letter, std::size_t number) {
  return letter + std::to_string(number);
}

void AddItem(ast::Select& select, ast::ExprPtr expr, std::string alias) {
  select.items.push_back({.expr = std::move(expr), .alias = std::move(alias)});
}

void AddGroup(ast::Select& select, ast::ExprPtr expr) {
  ast::GroupItem item;
  item.expr = std::move(expr);
  select.group_by.push_back(std::move(item));
}

ast::From AsTable(ast::Select inner) {
  ast::From from{.alias = "r", .column_aliases = {}, .span = {}};
  from.node = ast::DerivedTable{.select = std::make_unique<ast::Select>(std::move(inner))};
  return from;
}

}  // namespace dpsql::tree
