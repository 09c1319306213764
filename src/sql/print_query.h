#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/ast.h"
#include "sql/dialect.h"

namespace dpsql {

// The workers behind PrintSelect and PrintExpr. What is returned for an expression stands alone:
// a literal, a quoted name, a call, or text in brackets, so that callers join pieces without
// thinking about precedence.
class QueryPrinter {
 public:
  explicit QueryPrinter(const Dialect& dialect) : dialect_(dialect) {}

  std::string Print(const ast::Select& select) const;
  std::string Print(const ast::Expr& expr) const;

 private:
  // print_query.cc
  std::string PrintBlock(const ast::Select& select) const;
  std::string PrintValues(const ast::Select& select) const;
  std::string PrintWith(const ast::Select& select) const;
  std::string PrintTail(const ast::Select& select) const;
  std::string Print(const ast::SetOperation& operation) const;
  std::string Print(const ast::GroupItem& item) const;
  std::string Print(const ast::From& from) const;
  std::string PrintNode(const ast::TableName& table) const;
  std::string PrintNode(const ast::DerivedTable& derived) const;
  std::string PrintNode(const ast::TableFunction& function) const;
  std::string PrintNode(const ast::Join& join) const;
  std::string Name(std::string_view name) const { return dialect_.QuoteIdentifier(name); }
  std::string Names(const std::vector<std::string>& names, std::string_view separator) const;

  // print_expr.cc
  std::string List(const std::vector<ast::ExprPtr>& items) const;
  std::string Print(const std::vector<ast::OrderItem>& order) const;
  std::string PrintWindow(const ast::Window& window) const;
  std::string Print(const ast::Frame& frame) const;
  std::string Print(const ast::FrameBound& bound) const;
  std::string Print(const ast::TypeName& type) const;
  std::string Arguments(const ast::Call& call) const;
  std::string Pattern(const ast::Call& call) const;
  std::string PrintNode(const ast::Null&) const { return "NULL"; }
  std::string PrintNode(const ast::Boolean& node) const { return node.value ? "TRUE" : "FALSE"; }
  std::string PrintNode(const ast::Number& node) const;
  std::string PrintNode(const ast::String& node) const { return dialect_.QuoteString(node.value); }
  std::string PrintNode(const ast::Parameter& node) const;
  std::string PrintNode(const ast::ColumnRef& node) const { return Names(node.parts, "."); }
  std::string PrintNode(const ast::Star& node) const;
  std::string PrintNode(const ast::Call& node) const;
  std::string PrintNode(const ast::Logic& node) const;
  std::string PrintNode(const ast::Test& node) const;
  std::string PrintNode(const ast::Between& node) const;
  std::string PrintNode(const ast::InList& node) const;
  std::string PrintNode(const ast::Case& node) const;
  std::string PrintNode(const ast::Cast& node) const;
  std::string PrintNode(const ast::Row& node) const;
  std::string PrintNode(const ast::Subquery& node) const;

  const Dialect& dialect_;
};

}  // namespace dpsql
