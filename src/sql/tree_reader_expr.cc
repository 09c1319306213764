#include <array>
#include <charconv>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/spans.h"
#include "sql/tree_reader.h"

namespace dpsql {
namespace {

constexpr int kMaxParameter = 65'535;  // as many as PostgreSQL's protocol can carry

}  // namespace

const TreeReader::ExprKind TreeReader::kExprKinds[] = {
    {"A_Const", &TreeReader::ReadConstant},
    {"A_Expr", &TreeReader::ReadOperation},
    {"BoolExpr", &TreeReader::ReadLogic},
    {"BooleanTest", &TreeReader::ReadBooleanTest},
    {"CaseExpr", &TreeReader::ReadCase},
    {"CoalesceExpr", &TreeReader::ReadCoalesce},
    {"ColumnRef", &TreeReader::ReadColumn},
    {"FuncCall", &TreeReader::ReadFunction},
    {"GroupingFunc", &TreeReader::ReadGrouping},
    {"MinMaxExpr", &TreeReader::ReadMinMax},
    {"NullTest", &TreeReader::ReadNullTest},
    {"ParamRef", &TreeReader::ReadParameter},
    {"RowExpr", &TreeReader::ReadRow},
    {"SQLValueFunction", &TreeReader::ReadValueFunction},
    {"SubLink", &TreeReader::ReadSubquery},
    {"TypeCast", &TreeReader::ReadCast},
};

Result<ast::Expr> TreeReader::ReadExpr(const GrammarNode& wrapper) {
  const GrammarNode& body = Unwrap(wrapper);
  for (const ExprKind& kind : kExprKinds) {
    if (kind.type == body.key) return (this->*kind.read)(body);
  }
  return UnknownNode(wrapper);
}

Result<ast::ExprPtr> TreeReader::ReadExprPtr(const GrammarNode& wrapper) {
  TRY(ast::Expr expr, ReadExpr(wrapper));
  return std::make_unique<ast::Expr>(std::move(expr));
}

Result<ast::ExprPtr> TreeReader::ReadOptional(const GrammarNode& body, std::string_view field) {
  const GrammarNode* child = body.Find(field);
  if (child == nullptr) return ast::ExprPtr();
  return ReadExprPtr(*child);
}

Result<std::vector<ast::ExprPtr>> TreeReader::ReadExprs(const std::vector<GrammarNode>& list) {
  std::vector<ast::ExprPtr> exprs;
  exprs.reserve(list.size());
  for (const GrammarNode& item : list) {
    TRY(ast::ExprPtr expr, ReadExprPtr(item));
    exprs.push_back(std::move(expr));
  }
  return exprs;
}

Result<std::vector<ast::OrderItem>> TreeReader::ReadOrder(const std::vector<GrammarNode>& list) {
  std::vector<ast::OrderItem> order;
  for (const GrammarNode& wrapper : list) {
    const GrammarNode& body = Unwrap(wrapper);
    TRY_DONE(Allow(body, {"node", "sortby_dir", "sortby_nulls", "location"}));
    ast::OrderItem item;
    TRY(item.expr, ReadExprPtr(*body.Find("node")));
    item.descending = body.Text("sortby_dir") == "SORTBY_DESC";
    const std::string_view nulls = body.Text("sortby_nulls");
    if (nulls != "SORTBY_NULLS_DEFAULT") item.nulls_first = nulls == "SORTBY_NULLS_FIRST";
    order.push_back(std::move(item));
  }
  return order;
}

// The grammar's answer loses negative integers, so the text is the source of every number.
std::string TreeReader::NumberAt(std::size_t first, std::size_t& last) const {
  bool negative = false;
  std::size_t brackets = 0;
  std::size_t at = first;
  for (; tokens_[at].kind != TokenKind::kNumber; ++at) {
    Check(tokens_.Is(at, "-") || tokens_.Is(at, "+") || tokens_.Is(at, "("),
          "only signs and brackets stand before a number");
    if (tokens_.Is(at, "-")) negative = !negative;
    if (tokens_.Is(at, "(")) ++brackets;
  }
  last = at + brackets;
  return (negative ? "-" : "") + std::string(tokens_.text(at));
}

Result<ast::Expr> TreeReader::ReadConstant(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"ival", "fval", "sval", "boolval", "isnull", "location"}));
  std::size_t first = TokenOf(body);
  // Of `- 'a'` the grammar says that the text stands where its sign does. A sign that is folded
  // into a number belongs to it.
  const bool number = body.Find("ival") != nullptr || body.Find("fval") != nullptr;
  while (!number && (tokens_.Is(first, "-") || tokens_.Is(first, "("))) ++first;
  std::size_t last = first;
  ast::Expr expr;
  if (body.Bool("isnull")) {
    expr.node = ast::Null{};
  } else if (const GrammarNode* truth = body.Find("boolval"); truth != nullptr) {
    expr.node = ast::Boolean{truth->Bool("boolval")};
  } else if (const GrammarNode* text = body.Find("sval"); text != nullptr) {
    expr.node = ast::String{std::string(text->Text("sval"))};
  } else if (first != Tokens::kNone) {
    expr.node = ast::Number{NumberAt(first, last)};
  } else {
    // A number that the grammar adds, such as the 1 of FETCH FIRST ROW ONLY.
    const GrammarNode* added = body.Find("ival");
    Check(added != nullptr, "an added constant is an integer");
    expr.node = ast::Number{std::to_string(added->Integer("ival"))};
  }
  expr.span = first == Tokens::kNone ? here_ : tokens_.SpanOf(first, last);
  return expr;
}

Result<ast::Expr> TreeReader::ReadColumn(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"fields", "location"}));
  const std::vector<GrammarNode>& fields = body.List("fields");
  std::vector<std::string> parts;
  bool star = false;
  for (const GrammarNode& field : fields) {
    const GrammarNode& part = Unwrap(field);
    star = part.key == "A_Star";
    if (!star && part.key != "String") return UnknownNode(field);
    if (!star) parts.emplace_back(part.Text("sval"));
  }
  ast::Expr expr;
  const std::size_t first = TokenOf(body);
  expr.span =
      first == Tokens::kNone ? here_ : tokens_.SpanOf(first, first + 2 * (fields.size() - 1));
  if (star) {
    expr.node = ast::Star{std::move(parts)};
  } else {
    expr.node = ast::ColumnRef{std::move(parts)};
  }
  return expr;
}

// A named one is the literal of its value. The scanner lets the number of another overflow, so it
// is read from the text.
Result<ast::Expr> TreeReader::ReadParameter(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"number", "location"}));
  const std::size_t at = TokenOf(body);
  Check(at != Tokens::kNone && tokens_[at].kind == TokenKind::kParameter, "a parameter is a token");
  if (const ParameterUse* use = uses_.At(tokens_[at].span.begin)) return use->Literal();
  const std::string_view digits = tokens_.text(at).substr(1);
  int index = 0;
  const auto [end, failure] = std::from_chars(digits.begin(), digits.end(), index);
  const bool read = failure == std::errc() && end == digits.end();
  if (!read || index < 1 || index > kMaxParameter) {
    return Unsupported("a parameter other than $1 to $" + std::to_string(kMaxParameter),
                       tokens_[at].span);
  }
  ast::Expr expr;
  expr.node = ast::Parameter{index};
  expr.span = tokens_[at].span;
  return expr;
}

Result<ast::Expr> TreeReader::ReadLogic(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"boolop", "args", "location"}));
  ast::Logic logic{.op = ast::LogicOp::kNot, .operands = {}};
  if (body.Text("boolop") == "AND_EXPR") logic.op = ast::LogicOp::kAnd;
  if (body.Text("boolop") == "OR_EXPR") logic.op = ast::LogicOp::kOr;
  TRY(logic.operands, ReadExprs(body.List("args")));
  const SourceSpan first = logic.operands.front()->span;
  ast::Expr expr;
  if (logic.op != ast::LogicOp::kNot) {
    // `(a AND b) AND c` is one node of three operands: take in the bracket before a.
    expr.span = Balanced(tokens_, Cover(tokens_, first, logic.operands.back()->span));
  } else {
    const SourceSpan word = tokens_[TokenOf(body)].span;
    // The NOT of `x NOT IN (SELECT …)` stands inside its operand.
    const bool inside = first.begin < word.begin;
    expr.span = inside ? first : SourceSpan{word.begin, WithBrackets(tokens_, first).end};
  }
  expr.node = std::move(logic);
  return expr;
}

ast::Expr TreeReader::MakeTest(ast::Test test, std::size_t at) const {
  std::size_t last = at;
  // ISNULL and NOTNULL are one word; the others are IS [NOT] and a word.
  if (tokens_.Is(at, "is")) last = at + (tokens_.Is(at + 1, "not") ? 2 : 1);
  ast::Expr expr;
  expr.span = {WithBrackets(tokens_, test.operand->span).begin, tokens_[last].span.end};
  expr.node = std::move(test);
  return expr;
}

Result<ast::Expr> TreeReader::ReadNullTest(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"arg", "nulltesttype", "location"}));
  ast::Test test{.kind = ast::TestKind::kNull,
                 .negated = body.Text("nulltesttype") == "IS_NOT_NULL",
                 .operand = nullptr};
  TRY(test.operand, ReadExprPtr(*body.Find("arg")));
  return MakeTest(std::move(test), TokenOf(body));
}

Result<ast::Expr> TreeReader::ReadBooleanTest(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"arg", "booltesttype", "location"}));
  const std::string_view type = body.Text("booltesttype");
  ast::Test test{
      .kind = ast::TestKind::kUnknown, .negated = type.starts_with("IS_NOT_"), .operand = nullptr};
  if (type.ends_with("TRUE")) test.kind = ast::TestKind::kTrue;
  if (type.ends_with("FALSE")) test.kind = ast::TestKind::kFalse;
  TRY(test.operand, ReadExprPtr(*body.Find("arg")));
  return MakeTest(std::move(test), TokenOf(body));
}

Result<ast::Expr> TreeReader::ReadCase(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"arg", "args", "defresult", "location"}));
  ast::Case choice;
  TRY(choice.operand, ReadOptional(body, "arg"));
  for (const GrammarNode& item : body.List("args")) {
    const GrammarNode& when = Unwrap(item);
    TRY_DONE(Allow(when, {"expr", "result", "location"}));
    ast::WhenClause clause;
    TRY(clause.condition, ReadExprPtr(*when.Find("expr")));
    TRY(clause.result, ReadExprPtr(*when.Find("result")));
    choice.when.push_back(std::move(clause));
  }
  TRY(choice.otherwise, ReadOptional(body, "defresult"));
  const ast::ExprPtr& final = choice.otherwise ? choice.otherwise : choice.when.back().result;
  const std::size_t end = LastToken(tokens_, WithBrackets(tokens_, final->span)) + 1;
  Check(tokens_.Is(end, "end"), "END follows the last result of CASE");
  ast::Expr expr;
  expr.span = tokens_.SpanOf(TokenOf(body), end);
  expr.node = std::move(choice);
  return expr;
}

Result<ast::Expr> TreeReader::ReadRow(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"args", "row_format", "location"}));
  ast::Row row;
  TRY(row.items, ReadExprs(body.List("args")));
  const std::size_t first = TokenOf(body);
  ast::Expr expr;
  expr.node = std::move(row);
  expr.span = tokens_.SpanOf(first, tokens_.Partner(tokens_.NextOpen(first)));
  return expr;
}

Result<ast::Expr> TreeReader::ReadSubquery(const GrammarNode& body) {
  static constexpr std::array<std::pair<std::string_view, ast::SubqueryKind>, 5> kKinds = {{
      {"EXISTS_SUBLINK", ast::SubqueryKind::kExists},
      {"ALL_SUBLINK", ast::SubqueryKind::kAll},
      {"ANY_SUBLINK", ast::SubqueryKind::kAny},
      {"EXPR_SUBLINK", ast::SubqueryKind::kScalar},
      {"ARRAY_SUBLINK", ast::SubqueryKind::kArray},
  }};
  TRY_DONE(Allow(body, {"subLinkType", "testexpr", "operName", "subselect", "location"}));
  ast::Subquery subquery{
      .kind = ast::SubqueryKind::kScalar, .test = nullptr, .operator_name = "", .select = nullptr};
  bool known = false;
  for (const auto& [name, kind] : kKinds) {
    if (body.Text("subLinkType") != name) continue;
    subquery.kind = kind;
    known = true;
  }
  if (!known) return Unsupported("this kind of subquery", here_);
  const std::size_t first = TokenOf(body);
  TRY(subquery.test, ReadOptional(body, "testexpr"));
  if (subquery.test != nullptr) {
    TRY(subquery.operator_name, OperatorName(body.List("operName")));
  }
  const std::size_t open = tokens_.NextOpen(first);
  const std::size_t close = tokens_.Partner(open);
  TRY(subquery.select, ReadQuery(*body.Find("subselect"), open + 1, close));
  ast::Expr expr;
  expr.span = tokens_.SpanOf(first, close);
  if (subquery.test) expr.span.begin = WithBrackets(tokens_, subquery.test->span).begin;
  expr.node = std::move(subquery);
  return expr;
}

}  // namespace dpsql
