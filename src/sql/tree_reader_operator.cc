#include <algorithm>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/spans.h"
#include "sql/tree_reader.h"

namespace dpsql {
namespace {

struct PatternName {
  std::string_view kind;       // of the grammar's A_Expr
  std::string_view operator_;  // as the grammar spells it
  std::string_view name;       // as we do
};

constexpr PatternName kPatternNames[] = {
    {"AEXPR_LIKE", "~~", "like"},         {"AEXPR_LIKE", "!~~", "not like"},
    {"AEXPR_ILIKE", "~~*", "ilike"},      {"AEXPR_ILIKE", "!~~*", "not ilike"},
    {"AEXPR_SIMILAR", "~", "similar to"}, {"AEXPR_SIMILAR", "!~", "not similar to"},
};

// An operator's name has as many words as it has tokens.
std::size_t CountWords(std::string_view name) {
  return static_cast<std::size_t>(std::count(name.begin(), name.end(), ' ')) + 1;
}

// The grammar folds the sign of a number into it; of one that was a parameter this is left to us,
// so that `-$n` is what the number written out would be.
ast::Expr Negated(const ast::Expr& number, SourceSpan span) {
  std::string text = std::get<ast::Number>(number.node).text;
  text = text.starts_with('-') ? text.substr(1) : "-" + text;
  ast::Expr expr;
  expr.node = ast::Number{std::move(text)};
  expr.span = span;
  return expr;
}

ast::Argument Positional(ast::ExprPtr value) { return {.name = "", .value = std::move(value)}; }

}  // namespace

Result<ast::Expr> TreeReader::ReadOperation(const GrammarNode& body) {
  const std::string_view kind = body.Text("kind");
  TRY_DONE(Allow(body, {"kind", "name", "lexpr", "rexpr", "location"}));
  if (kind == "AEXPR_OP") {
    TRY(std::string name, OperatorName(body.List("name")));
    return ReadOperator(body, std::move(name));
  }
  if (kind == "AEXPR_DISTINCT") return ReadOperator(body, "is distinct from");
  if (kind == "AEXPR_NOT_DISTINCT") return ReadOperator(body, "is not distinct from");
  if (kind == "AEXPR_NULLIF") return ReadNullIf(body);
  if (kind == "AEXPR_IN") return ReadInList(body);
  if (kind == "AEXPR_LIKE" || kind == "AEXPR_ILIKE" || kind == "AEXPR_SIMILAR") {
    return ReadPatternMatch(body);
  }
  if (kind.find("BETWEEN") != std::string_view::npos) return ReadBetween(body);
  return Unsupported("ANY and ALL over an array", here_);
}

Result<std::string> TreeReader::OperatorName(const std::vector<GrammarNode>& list) const {
  if (list.empty()) return std::string("=");  // IN (SELECT …)
  TRY(std::vector<std::string> parts, ReadNames(list));
  if (parts.size() != 1) return Unsupported("OPERATOR with a schema", here_);
  // The scanner spells != as <>; LIKE and ILIKE before ANY and ALL come as operators.
  for (const PatternName& pattern : kPatternNames) {
    if (pattern.kind != "AEXPR_SIMILAR" && pattern.operator_ == parts[0]) {
      return std::string(pattern.name);
    }
  }
  return std::move(parts[0]);
}

Result<ast::Expr> TreeReader::ReadOperator(const GrammarNode& body, std::string name) {
  TRY(ast::ExprPtr left, ReadOptional(body, "lexpr"));
  TRY(ast::ExprPtr right, ReadOptional(body, "rexpr"));
  Check(right != nullptr, "an operator has a right operand");
  const std::size_t at = TokenOf(body);
  if (left == nullptr && tokens_.Is(at, "-") && std::holds_alternative<ast::Number>(right->node)) {
    return Negated(*right, {tokens_[at].span.begin, WithBrackets(tokens_, right->span).end});
  }
  ast::Call call;
  call.is_operator = true;
  call.name_span = tokens_.SpanOf(at, at + CountWords(name) - 1);
  call.name = std::move(name);
  ast::Expr expr;
  expr.span = {tokens_[at].span.begin, WithBrackets(tokens_, right->span).end};
  if (left != nullptr) {
    expr.span.begin = WithBrackets(tokens_, left->span).begin;
    call.arguments.push_back(Positional(std::move(left)));
  }
  call.arguments.push_back(Positional(std::move(right)));
  expr.node = std::move(call);
  return expr;
}

// An ESCAPE, and SIMILAR TO always, wraps the pattern into a function call at the operator's own
// place; its arguments become ours: text, pattern, escape.
Result<ast::Expr> TreeReader::ReadPatternMatch(const GrammarNode& body) {
  TRY(const std::vector<std::string> operator_name, ReadNames(body.List("name")));
  ast::Call call;
  call.is_operator = true;
  for (const PatternName& pattern : kPatternNames) {
    if (pattern.kind == body.Text("kind") && pattern.operator_ == operator_name.back()) {
      call.name = pattern.name;
    }
  }
  if (call.name.empty()) return Unsupported("this pattern match", here_);
  const std::size_t at = TokenOf(body);
  call.name_span = tokens_.SpanOf(at, at + CountWords(call.name) - 1);
  TRY(ast::ExprPtr text, ReadExprPtr(*body.Find("lexpr")));
  call.arguments.push_back(Positional(std::move(text)));
  const GrammarNode& pattern = *body.Find("rexpr");
  const GrammarNode& inner = Unwrap(pattern);
  if (inner.key == "FuncCall" && TokenOf(inner) == at) {
    TRY_DONE(Allow(inner, {"funcname", "args", "funcformat", "location"}));
    TRY(std::vector<ast::ExprPtr> rest, ReadExprs(inner.List("args")));
    for (ast::ExprPtr& argument : rest) call.arguments.push_back(Positional(std::move(argument)));
  } else {
    TRY(ast::ExprPtr right, ReadExprPtr(pattern));
    call.arguments.push_back(Positional(std::move(right)));
  }
  ast::Expr expr;
  expr.span = Cover(tokens_, call.arguments.front().value->span, call.arguments.back().value->span);
  expr.node = std::move(call);
  return expr;
}

Result<ast::Expr> TreeReader::ReadBetween(const GrammarNode& body) {
  const std::string_view kind = body.Text("kind");
  ast::Between between{.negated = kind.starts_with("AEXPR_NOT"),
                       .symmetric = kind.ends_with("_SYM"),
                       .operand = nullptr,
                       .low = nullptr,
                       .high = nullptr};
  TRY(between.operand, ReadExprPtr(*body.Find("lexpr")));
  TRY(std::vector<ast::ExprPtr> ends, ReadExprs(Unwrap(*body.Find("rexpr")).List("items")));
  Check(ends.size() == 2, "BETWEEN has two ends");
  between.low = std::move(ends[0]);
  between.high = std::move(ends[1]);
  ast::Expr expr;
  expr.span = Cover(tokens_, between.operand->span, between.high->span);
  expr.node = std::move(between);
  return expr;
}

Result<ast::Expr> TreeReader::ReadInList(const GrammarNode& body) {
  TRY(const std::vector<std::string> name, ReadNames(body.List("name")));
  ast::InList in{.negated = name.back() == "<>", .operand = nullptr, .items = {}};
  TRY(in.operand, ReadExprPtr(*body.Find("lexpr")));
  TRY(in.items, ReadExprs(Unwrap(*body.Find("rexpr")).List("items")));
  const std::size_t open = tokens_.NextOpen(TokenOf(body));
  ast::Expr expr;
  expr.span = {WithBrackets(tokens_, in.operand->span).begin,
               tokens_[tokens_.Partner(open)].span.end};
  expr.node = std::move(in);
  return expr;
}

Result<ast::Expr> TreeReader::ReadNullIf(const GrammarNode& body) {
  const std::size_t first = TokenOf(body);
  ast::Call call;
  call.name = "nullif";
  call.name_span = tokens_[first].span;
  for (const std::string_view side : {"lexpr", "rexpr"}) {
    TRY(ast::ExprPtr operand, ReadExprPtr(*body.Find(side)));
    call.arguments.push_back(Positional(std::move(operand)));
  }
  ast::Expr expr;
  expr.node = std::move(call);
  expr.span = tokens_.SpanOf(first, tokens_.Partner(first + 1));
  return expr;
}

}  // namespace dpsql
