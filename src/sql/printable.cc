#include "sql/printable.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error_codes.h"
#include "sql/pattern_call.h"
#include "sql/regex_java.h"
#include "sql/regex_postgresql.h"

namespace dpsql {
namespace {

// A key of the dialects' lists as an analyst writes the function: "extract year of interval" is
// extract(year), "cast text to date" is cast(text as date).
std::string Spelling(std::string_view key) {
  for (const std::string_view kind : {" real", " text", " uuid", " of interval"}) {
    if (key.ends_with(kind)) key.remove_suffix(kind.size());
  }
  if (key == "negate") return "-";
  if (key == "sum of a unit") return "sum in a subquery";
  if (key == "greatest interval" || key == "least interval") key.remove_suffix(9);
  for (const std::string_view word : {"extract", "date_trunc"}) {
    if (!key.starts_with(std::string(word) + " ")) continue;
    return std::string(word) + "(" + std::string(key.substr(word.size() + 1)) + ")";
  }
  const std::size_t to = key.find(" to ");
  if (!key.starts_with("cast ") || to == std::string_view::npos) return std::string(key);
  return "cast(" + std::string(key.substr(5, to - 5)) + " as " + std::string(key.substr(to + 4)) +
         ")";
}

// The patterns of one statement.
class Patterns {
 public:
  explicit Patterns(RegexStyle style) : style_(style) {}

  // Why the database cannot search for the pattern of a call beside those before it, or empty.
  std::string FaultOf(const ast::Call& call) {
    if (!ReadsPattern(call.name, style_)) return "";
    const RegexReading reading = ReadPattern(call);
    if (!reading.fault.empty()) return reading.fault;
    if (style_ == RegexStyle::kJava) return WriteJavaRegex(reading.regex).fault;
    return style_ == RegexStyle::kPostgreSql ? Add(reading) : "";
  }

 private:
  // PostgreSQL keeps 32 compiled patterns and drops the one that was not used for longest. More of
  // them would push each other out, and be compiled anew for every row that meets them, which CASE
  // may make the rows of one person. Each process of a parallel statement compiles what its rows
  // meet, so that all of them together must be little work.
  static constexpr std::size_t kMost = 16;
  static constexpr double kMostWork = 50'000;

  std::string Add(const RegexReading& reading) {
    if (written_.insert(WritePostgreSqlRegex(reading.regex)).second) work_ += reading.work;
    if (written_.size() > kMost) return "a statement there has at most 16 of them";
    return work_ > kMostWork ? "together with the others it repeats too often" : "";
  }

  RegexStyle style_;
  std::set<std::string> written_;
  double work_ = 0;
};

// Walks every expression of a tree and keeps the first thing that cannot be printed.
class PrintableCheck {
 public:
  explicit PrintableCheck(const Dialect& dialect, std::size_t more = 0)
      : dialect_(dialect), more_columns_(more), patterns_(dialect.regexes()) {}

  Status Result() const {
    if (error_) return *error_;
    return Done{};
  }

  void Visit(const ast::Expr& expr) {
    const SourceSpan outer = span_;
    if (!expr.span.empty()) span_ = expr.span;
    std::visit([this](const auto& node) { VisitNode(node); }, expr.node);
    span_ = outer;
  }

  void Visit(const ast::Select& select) {
    CheckWidth(select);
    for (const ast::Cte& cte : select.with) Visit(*cte.select);
    if (select.set_operation) {
      RefuseAll(*select.set_operation);
      Visit(*select.set_operation->left);
      Visit(*select.set_operation->right);
    }
    VisitAll(select.distinct_on);
    for (const ast::SelectItem& item : select.items) Visit(*item.expr);
    for (const ast::From& from : select.from) Visit(from);
    VisitIf(select.where);
    for (const ast::GroupItem& item : select.group_by) Visit(item);
    VisitIf(select.having);
    for (const ast::Window& window : select.windows) Visit(window);
    for (const auto& row : select.values) VisitAll(row);
    Visit(select.order_by);
    VisitIf(select.limit);
    VisitIf(select.offset);
  }

 private:
  void Refuse(const std::string& what, std::string_view reason) {
    if (error_) return;
    error_ = MakeError(
        ErrorCode::kUnknownFunction,
        what + " cannot be asked of " + std::string(dialect_.name()) + ": " + std::string(reason),
        span_, "leave it out, or ask for another dialect");
  }

  void CheckWidth(const ast::Select& select) {
    const std::size_t most = dialect_.most_columns();
    if (error_ || most == 0 || select.items.size() + more_columns_ <= most) return;
    error_ = MakeError(
        ErrorCode::kTooLarge,
        "the question is too large for " + std::string(dialect_.name()) + " when written out", {},
        "ask for fewer aggregates at a time");
  }

  void RefuseAll(const ast::SetOperation& operation) {
    if (dialect_.set_brackets() || !operation.all || operation.op == ast::SetOp::kUnion) return;
    Refuse(operation.op == ast::SetOp::kExcept ? "EXCEPT ALL" : "INTERSECT ALL",
           "it has no such operation");
  }

  void VisitIf(const ast::ExprPtr& expr) {
    if (expr) Visit(*expr);
  }

  void VisitAll(const std::vector<ast::ExprPtr>& exprs) {
    for (const ast::ExprPtr& expr : exprs) Visit(*expr);
  }

  void Visit(const std::vector<ast::OrderItem>& order) {
    for (const ast::OrderItem& item : order) Visit(*item.expr);
  }

  void Visit(const ast::GroupItem& item) {
    VisitIf(item.expr);
    for (const ast::GroupItem& element : item.elements) Visit(element);
  }

  void Visit(const ast::Window& window) {
    VisitAll(window.partition_by);
    Visit(window.order_by);
    if (!window.frame) return;
    if (window.frame->mode == ast::FrameMode::kGroups && !dialect_.group_frames()) {
      Refuse("GROUPS in a window", "it has no such frame");
    }
    VisitIf(window.frame->start.offset);
    VisitIf(window.frame->end.offset);
  }

  void Visit(const ast::From& from) {
    std::visit([this](const auto& node) { VisitNode(node); }, from.node);
  }

  void VisitNode(const ast::TableName&) {}
  void VisitNode(const ast::DerivedTable& node) { Visit(*node.select); }
  void VisitNode(const ast::TableFunction& node) { Visit(*node.call); }
  void VisitNode(const ast::Join& node) {
    Visit(*node.left);
    Visit(*node.right);
    VisitIf(node.on);
  }

  void VisitNode(const ast::Null&) {}
  void VisitNode(const ast::Boolean&) {}
  void VisitNode(const ast::Number&) {}
  void VisitNode(const ast::String&) {}
  void VisitNode(const ast::Parameter&) {}
  void VisitNode(const ast::ColumnRef&) {}
  void VisitNode(const ast::Star&) {}

  void VisitNode(const ast::Call& node) {
    const std::size_t places = PlacesOf(node.name, node.arguments.size(), dialect_.regexes());
    if (dialect_.FindFunction(node.name, places).empty()) {
      const std::string_view reason = dialect_.FindRefusal(node.name);
      Refuse(Spelling(node.name), reason.empty() ? "no form of it is known there" : reason);
    } else if (const std::string fault = patterns_.FaultOf(node); !fault.empty()) {
      Refuse(IsRegexOperator(node.name) ? "this regular expression" : "this pattern", fault);
    }
    for (const ast::Argument& argument : node.arguments) Visit(*argument.value);
    Visit(node.order_by);
    VisitIf(node.filter);
    if (node.over) Visit(*node.over);
  }

  void VisitNode(const ast::Logic& node) { VisitAll(node.operands); }
  void VisitNode(const ast::Test& node) { Visit(*node.operand); }

  void VisitNode(const ast::Between& node) {
    Visit(*node.operand);
    Visit(*node.low);
    Visit(*node.high);
  }

  void VisitNode(const ast::InList& node) {
    Visit(*node.operand);
    VisitAll(node.items);
  }

  void VisitNode(const ast::Case& node) {
    VisitIf(node.operand);
    for (const ast::WhenClause& clause : node.when) {
      Visit(*clause.condition);
      Visit(*clause.result);
    }
    VisitIf(node.otherwise);
  }

  void VisitNode(const ast::Cast& node) {
    if (dialect_.FindType(node.type.name).empty()) {
      Refuse("a value of type " + node.type.name, "it has no such type");
    }
    Visit(*node.operand);
  }

  void VisitNode(const ast::Row& node) { VisitAll(node.items); }

  void VisitNode(const ast::Subquery& node) {
    VisitIf(node.test);
    Visit(*node.select);
  }

  const Dialect& dialect_;
  std::size_t more_columns_;
  Patterns patterns_;
  SourceSpan span_;  // of the innermost expression that has one
  std::optional<Error> error_;
};

}  // namespace

Status RefuseUnprintable(const ast::Select& select, const Dialect& dialect, std::size_t more) {
  PrintableCheck check(dialect, more);
  check.Visit(select);
  return check.Result();
}

Status RefuseUnprintable(const ast::Expr& expr, const Dialect& dialect) {
  PrintableCheck check(dialect);
  check.Visit(expr);
  return check.Result();
}

}  // namespace dpsql
