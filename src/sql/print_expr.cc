#include <algorithm>

#include "base/check.h"
#include "sql/number_text.h"
#include "sql/pattern_call.h"
#include "sql/print_query.h"
#include "sql/regex_java.h"
#include "sql/regex_postgresql.h"

namespace dpsql {
namespace {

bool IsComparison(std::string_view name) {
  static constexpr std::string_view kNames[] = {"=", "<>", "<", "<=", ">", ">="};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// What the grammar reads by rules of its own: arguments, one at least, and nothing else.
bool IsKeywordCall(std::string_view text) {
  return text.starts_with("coalesce(") || text.starts_with("greatest(") ||
         text.starts_with("least(");
}

// Whether DISTINCT may stand before the arguments, and FILTER and OVER behind the text: it is one
// call of all the arguments. A star, or an ORDER BY behind the arguments, stands there alone.
bool TakesModifiers(std::string_view text, bool alone) {
  const std::size_t arguments = text.find("($*");
  if (arguments == std::string_view::npos || IsKeywordCall(text)) return false;
  if (text.substr(0, arguments).find_first_of("( ") != std::string_view::npos) return false;
  return alone ? text.substr(arguments) == "($*)" : text.find(')') == text.size() - 1;
}

}  // namespace

std::string QueryPrinter::Print(const ast::Expr& expr) const {
  return std::visit([this](const auto& node) { return PrintNode(node); }, expr.node);
}

std::string QueryPrinter::List(const std::vector<ast::ExprPtr>& items) const {
  std::string out;
  for (const ast::ExprPtr& item : items) {
    if (!out.empty()) out += ", ";
    out += Print(*item);
  }
  return out;
}

std::string QueryPrinter::Print(const std::vector<ast::OrderItem>& order) const {
  std::string out;
  for (const ast::OrderItem& item : order) {
    if (!out.empty()) out += ", ";
    out += Print(*item.expr);
    if (item.descending) out += " DESC";
    if (item.nulls_first) out += *item.nulls_first ? " NULLS FIRST" : " NULLS LAST";
  }
  return out;
}

// A number is printed as it stands, so it must be one.
std::string QueryPrinter::PrintNode(const ast::Number& node) const {
  Check(IsNumber(node.text), "the text of a number is one");
  return node.text.starts_with('-') ? "(" + node.text + ")" : node.text;
}

std::string QueryPrinter::PrintNode(const ast::Parameter& node) const {
  return "$" + std::to_string(node.index);
}

std::string QueryPrinter::PrintNode(const ast::Star& node) const {
  return node.qualifier.empty() ? "*" : Names(node.qualifier, ".") + ".*";
}

// What `$*` stands for: everything between the brackets of a call.
std::string QueryPrinter::Arguments(const ast::Call& call) const {
  if (call.star) return "*";
  std::string out;
  for (const ast::Argument& argument : call.arguments) {
    if (!out.empty()) out += ", ";
    out += Print(*argument.value);
  }
  if (call.distinct) out = "DISTINCT " + out;
  if (!call.order_by.empty() && !call.within_group) out += " ORDER BY " + Print(call.order_by);
  return out;
}

// The pattern as the database's own engine reads it; what RefuseUnprintable let pass.
std::string QueryPrinter::Pattern(const ast::Call& call) const {
  const RegexReading reading = ReadPattern(call);
  Check(reading.fault.empty(), "a printed pattern is one that is accepted");
  if (dialect_.regexes() == RegexStyle::kPostgreSql) {
    return dialect_.QuoteString(WritePostgreSqlRegex(reading.regex));
  }
  const JavaRegex java = WriteJavaRegex(reading.regex);
  Check(java.fault.empty(), "a printed regular expression is one that Java may run");
  return dialect_.QuoteString(java.text);
}

std::string QueryPrinter::PrintNode(const ast::Call& node) const {
  const RegexStyle style = dialect_.regexes();
  const std::string_view text =
      dialect_.FindFunction(node.name, PlacesOf(node.name, node.arguments.size(), style));
  Check(!text.empty(), "the dialect lists every function that is printed");
  Check(node.schema.empty(), "a printed function has no schema");
  const bool alone = node.star || !node.order_by.empty();
  const bool plain = !alone && !node.distinct && !node.within_group && !node.filter && !node.over;
  Check(plain || TakesModifiers(text, alone), "only an aggregate has modifiers");
  Check(!node.arguments.empty() || !IsKeywordCall(text), "a keyword's call has arguments");
  const bool rewritten = style != RegexStyle::kOwn && ReadsPattern(node.name, style);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      out += text[i];
      continue;
    }
    const char which = text[++i];
    if (which == '*') {
      out += Arguments(node);
      continue;
    }
    const auto index = static_cast<std::size_t>(which - '1');
    Check(index < node.arguments.size(), "a placeholder has its argument");
    out += index == 1 && rewritten ? Pattern(node) : Print(*node.arguments[index].value);
  }
  for (const ast::Argument& argument : node.arguments) {
    Check(argument.name.empty(), "a printed argument has no name");
  }
  if (node.within_group) out += " WITHIN GROUP (ORDER BY " + Print(node.order_by) + ")";
  if (node.filter) out += " FILTER (WHERE " + Print(*node.filter) + ")";
  if (node.over) out += " OVER " + PrintWindow(*node.over);
  return out;
}

std::string QueryPrinter::PrintWindow(const ast::Window& window) const {
  std::string out;
  const auto add = [&out](std::string_view piece) {
    if (!out.empty()) out += ' ';
    out += piece;
  };
  if (!window.base_name.empty()) add(Name(window.base_name));
  if (!window.partition_by.empty()) add("PARTITION BY " + List(window.partition_by));
  if (!window.order_by.empty()) add("ORDER BY " + Print(window.order_by));
  if (window.frame) add(Print(*window.frame));
  return "(" + out + ")";
}

std::string QueryPrinter::Print(const ast::Frame& frame) const {
  static constexpr std::string_view kModes[] = {"ROWS", "RANGE", "GROUPS"};
  std::string out = std::string(kModes[static_cast<std::size_t>(frame.mode)]) + " BETWEEN " +
                    Print(frame.start) + " AND " + Print(frame.end);
  if (frame.exclude == "current row") out += " EXCLUDE CURRENT ROW";
  if (frame.exclude == "group") out += " EXCLUDE GROUP";
  if (frame.exclude == "ties") out += " EXCLUDE TIES";
  return out;
}

std::string QueryPrinter::Print(const ast::FrameBound& bound) const {
  switch (bound.kind) {
    case ast::FrameBoundKind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case ast::FrameBoundKind::kPreceding:
      return Print(*bound.offset) + " PRECEDING";
    case ast::FrameBoundKind::kCurrentRow:
      return "CURRENT ROW";
    case ast::FrameBoundKind::kFollowing:
      return Print(*bound.offset) + " FOLLOWING";
    case ast::FrameBoundKind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
  }
  throw Bug("a frame's end has a kind");
}

std::string QueryPrinter::PrintNode(const ast::Logic& node) const {
  if (node.op == ast::LogicOp::kNot) return "(NOT " + Print(*node.operands.at(0)) + ")";
  Check(!node.operands.empty(), "AND and OR have operands");
  std::string out;
  for (const ast::ExprPtr& operand : node.operands) {
    if (!out.empty()) out += node.op == ast::LogicOp::kAnd ? " AND " : " OR ";
    out += Print(*operand);
  }
  return "(" + out + ")";
}

std::string QueryPrinter::PrintNode(const ast::Test& node) const {
  static constexpr std::string_view kNames[] = {"NULL", "TRUE", "FALSE", "UNKNOWN"};
  return "(" + Print(*node.operand) + (node.negated ? " IS NOT " : " IS ") +
         std::string(kNames[static_cast<std::size_t>(node.kind)]) + ")";
}

std::string QueryPrinter::PrintNode(const ast::Between& node) const {
  return "(" + Print(*node.operand) + (node.negated ? " NOT BETWEEN " : " BETWEEN ") +
         (node.symmetric ? "SYMMETRIC " : "") + Print(*node.low) + " AND " + Print(*node.high) +
         ")";
}

std::string QueryPrinter::PrintNode(const ast::InList& node) const {
  Check(!node.items.empty(), "an IN list has items");
  return "(" + Print(*node.operand) + (node.negated ? " NOT IN (" : " IN (") + List(node.items) +
         "))";
}

std::string QueryPrinter::PrintNode(const ast::Case& node) const {
  std::string out = "CASE";
  if (node.operand) out += " " + Print(*node.operand);
  for (const ast::WhenClause& clause : node.when) {
    out += " WHEN " + Print(*clause.condition) + " THEN " + Print(*clause.result);
  }
  if (node.otherwise) out += " ELSE " + Print(*node.otherwise);
  return out + " END";
}

std::string QueryPrinter::Print(const ast::TypeName& type) const {
  const std::string_view text = dialect_.FindType(type.name);
  Check(!text.empty(), "the dialect lists every type that is printed");
  // They are a mask of units, which no database reads as a number in brackets.
  Check(type.name != "interval" || type.modifiers.empty(), "an interval has no printed modifiers");
  std::string modifiers;
  for (const std::int64_t modifier : type.modifiers) {
    modifiers += (modifiers.empty() ? "(" : ", ") + std::to_string(modifier);
  }
  return std::string(text) + modifiers + (modifiers.empty() ? "" : ")") + (type.array ? "[]" : "");
}

std::string QueryPrinter::PrintNode(const ast::Cast& node) const {
  return "CAST(" + Print(*node.operand) + " AS " + Print(node.type) + ")";
}

std::string QueryPrinter::PrintNode(const ast::Row& node) const {
  return (node.items.size() < 2 ? "ROW(" : "(") + List(node.items) + ")";
}

std::string QueryPrinter::PrintNode(const ast::Subquery& node) const {
  std::string query = "(" + Print(*node.select) + ")";
  switch (node.kind) {
    case ast::SubqueryKind::kScalar:
      return query;
    case ast::SubqueryKind::kExists:
      return "(EXISTS " + query + ")";
    case ast::SubqueryKind::kArray:
      return "ARRAY" + query;
    case ast::SubqueryKind::kAny:
    case ast::SubqueryKind::kAll:
      break;
  }
  Check(IsComparison(node.operator_name), "a printed ANY or ALL compares");
  const bool any = node.kind == ast::SubqueryKind::kAny;
  return "(" + Print(*node.test) + " " + node.operator_name + (any ? " ANY " : " ALL ") + query +
         ")";
}

}  // namespace dpsql
