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

// PostgreSQL's FRAMEOPTION_… bits.
constexpr std::int64_t kNonDefault = 0x1;
constexpr std::int64_t kRows = 0x4;
constexpr std::int64_t kGroups = 0x8;
constexpr std::int64_t kExcludeCurrentRow = 0x8000;
constexpr std::int64_t kExcludeGroup = 0x10000;
constexpr std::int64_t kExcludeTies = 0x20000;

struct BoundBits {
  std::int64_t start;
  std::int64_t end;
  ast::FrameBoundKind kind;
};
constexpr BoundBits kBounds[] = {
    {0x20, 0x40, ast::FrameBoundKind::kUnboundedPreceding},
    {0x80, 0x100, ast::FrameBoundKind::kUnboundedFollowing},
    {0x200, 0x400, ast::FrameBoundKind::kCurrentRow},
    {0x800, 0x1000, ast::FrameBoundKind::kPreceding},
    {0x2000, 0x4000, ast::FrameBoundKind::kFollowing},
};

struct ValueFunctionName {
  std::string_view op;
  std::string_view name;
};
constexpr ValueFunctionName kValueFunctions[] = {
    {"SVFOP_CURRENT_CATALOG", "current_catalog"},
    {"SVFOP_CURRENT_DATE", "current_date"},
    {"SVFOP_CURRENT_ROLE", "current_role"},
    {"SVFOP_CURRENT_SCHEMA", "current_schema"},
    {"SVFOP_CURRENT_TIME", "current_time"},
    {"SVFOP_CURRENT_TIMESTAMP", "current_timestamp"},
    {"SVFOP_CURRENT_USER", "current_user"},
    {"SVFOP_LOCALTIME", "localtime"},
    {"SVFOP_LOCALTIMESTAMP", "localtimestamp"},
    {"SVFOP_SESSION_USER", "session_user"},
    {"SVFOP_USER", "user"},
};

constexpr std::string_view kPgCatalog = "pg_catalog";

}  // namespace

Result<ast::Expr> TreeReader::ReadFunction(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"funcname", "args", "agg_order", "agg_filter", "over", "agg_within_group",
                        "agg_star", "agg_distinct", "funcformat", "location"}));
  const std::size_t first = TokenOf(body);
  ast::Call call;
  TRY(call.schema, ReadNames(body.List("funcname")));
  call.name = std::move(call.schema.back());
  call.schema.pop_back();
  // EXTRACT(… FROM …) and its like are the grammar's own names, not a schema that was typed.
  const bool sql_syntax = body.Text("funcformat") == "COERCE_SQL_SYNTAX";
  if (sql_syntax && call.schema.size() == 1 && call.schema[0] == kPgCatalog) call.schema.clear();
  const std::size_t open = tokens_.NextOpen(first);
  call.star = body.Bool("agg_star");
  call.distinct = body.Bool("agg_distinct");
  call.within_group = body.Bool("agg_within_group");
  TRY(call.arguments, ReadArguments(body.List("args")));
  TRY(call.order_by, ReadOrder(body.List("agg_order")));
  TRY(call.filter, ReadOptional(body, "agg_filter"));
  if (const GrammarNode* over = body.Find("over"); over != nullptr) {
    TRY(ast::Window window, ReadWindow(*over));
    call.over = std::move(window);
  }
  ast::Expr expr;
  const bool infix = sql_syntax && (call.name == "timezone" || call.name == "overlaps" ||
                                    call.name == "is_normalized");
  if (infix) {
    call.name_span = tokens_[first].span;
    expr.span = InfixCallSpan(call, first);
  } else {
    const std::size_t name_tokens = sql_syntax ? 1 : 2 * call.schema.size() + 1;
    call.name_span = tokens_.SpanOf(first, first + name_tokens - 1);
    expr.span = tokens_.SpanOf(first, EndOfCall(body, tokens_.Partner(open)));
  }
  expr.node = std::move(call);
  return expr;
}

// `x AT TIME ZONE z` comes as timezone(z, x), `(a, b) OVERLAPS (c, d)` with four arguments, and
// `x IS [NOT] NORMALIZED` with one: all of them point at the word in the middle.
SourceSpan TreeReader::InfixCallSpan(const ast::Call& call, std::size_t at) const {
  const auto argument = [&](std::size_t i) { return call.arguments[i].value->span; };
  if (call.name == "timezone") return Cover(tokens_, argument(1), argument(0));
  if (call.name == "is_normalized") {
    std::size_t last = at;
    while (!tokens_.Is(last, "normalized")) ++last;
    return {WithBrackets(tokens_, argument(0)).begin, tokens_[last].span.end};
  }
  std::size_t first = tokens_.Partner(at - 1);
  if (first > 0 && tokens_.Is(first - 1, "row")) --first;
  return tokens_.SpanOf(first, tokens_.Partner(tokens_.NextOpen(at)));
}

// The last token of a call whose arguments close at `close`: after WITHIN GROUP, FILTER and OVER.
std::size_t TreeReader::EndOfCall(const GrammarNode& body, std::size_t close) const {
  std::size_t last = close;
  if (body.Bool("agg_within_group")) last = tokens_.Partner(tokens_.NextOpen(last + 1));
  if (body.Find("agg_filter") != nullptr) last = tokens_.Partner(tokens_.NextOpen(last + 1));
  if (body.Find("over") == nullptr) return last;
  return tokens_.Is(last + 2, "(") ? tokens_.Partner(last + 2) : last + 2;
}

Result<std::vector<ast::Argument>> TreeReader::ReadArguments(const std::vector<GrammarNode>& list) {
  std::vector<ast::Argument> arguments;
  for (const GrammarNode& wrapper : list) {
    ast::Argument argument;
    const GrammarNode& body = Unwrap(wrapper);
    const bool named = body.key == "NamedArgExpr";
    if (named) {
      TRY_DONE(Allow(body, {"arg", "name", "argnumber", "location"}));
      argument.name = body.Text("name");
    }
    TRY(argument.value, ReadExprPtr(named ? *body.Find("arg") : wrapper));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

// COALESCE and its like: a keyword, brackets, arguments.
Result<ast::Expr> TreeReader::ReadKeywordCall(const GrammarNode& body, std::string name) {
  const std::size_t first = TokenOf(body);
  ast::Call call;
  call.name = std::move(name);
  call.name_span = tokens_[first].span;
  TRY(call.arguments, ReadArguments(body.List("args")));
  ast::Expr expr;
  expr.node = std::move(call);
  expr.span = tokens_.SpanOf(first, tokens_.Partner(first + 1));
  return expr;
}

Result<ast::Expr> TreeReader::ReadCoalesce(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"args", "location"}));
  return ReadKeywordCall(body, "coalesce");
}

Result<ast::Expr> TreeReader::ReadMinMax(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"op", "args", "location"}));
  return ReadKeywordCall(body, body.Text("op") == "IS_LEAST" ? "least" : "greatest");
}

Result<ast::Expr> TreeReader::ReadGrouping(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"args", "location"}));
  return ReadKeywordCall(body, "grouping");
}

Result<ast::Expr> TreeReader::ReadValueFunction(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"op", "typmod", "location"}));
  std::string_view op = body.Text("op");
  const bool precise = op.ends_with("_N");
  if (precise) op.remove_suffix(2);
  const auto* known = std::find_if(std::begin(kValueFunctions), std::end(kValueFunctions),
                                   [&](const ValueFunctionName& f) { return f.op == op; });
  if (known == std::end(kValueFunctions)) return Unsupported("this keyword as a value", here_);
  const std::size_t first = TokenOf(body);
  ast::Call call;
  call.name = known->name;
  call.name_span = tokens_[first].span;
  ast::Expr expr;
  expr.span = tokens_[first].span;
  if (precise) {
    // current_timestamp(3)
    ast::Expr digits;
    digits.node = ast::Number{std::string(tokens_.text(first + 2))};
    digits.span = tokens_[first + 2].span;
    call.arguments.push_back({.name = "", .value = std::make_unique<ast::Expr>(std::move(digits))});
    expr.span.end = tokens_[first + 3].span.end;
  }
  expr.node = std::move(call);
  return expr;
}

// `OVER w` and `OVER (w)` both read as a window that refers to w and adds nothing.
Result<ast::Window> TreeReader::ReadWindow(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"name", "refname", "partitionClause", "orderClause", "frameOptions",
                        "startOffset", "endOffset", "location"}));
  const std::size_t first = TokenOf(body);
  ast::Window window;
  window.base_name = body.Text("refname");
  if (!tokens_.Is(first, "(")) {
    window.base_name = body.Text("name");
    window.span = tokens_[first].span;
    return window;
  }
  window.name = body.Text("name");
  // An entry of the WINDOW clause begins two tokens before its bracket: w AS (
  window.span = tokens_.SpanOf(window.name.empty() ? first : first - 2, tokens_.Partner(first));
  TRY(window.partition_by, ReadExprs(body.List("partitionClause")));
  TRY(window.order_by, ReadOrder(body.List("orderClause")));
  if ((body.Integer("frameOptions") & kNonDefault) == 0) return window;
  TRY(ast::Frame frame, ReadFrame(body));
  window.frame = std::move(frame);
  return window;
}

Result<ast::Frame> TreeReader::ReadFrame(const GrammarNode& body) {
  const std::int64_t options = body.Integer("frameOptions");
  ast::Frame frame;
  if ((options & kRows) != 0) frame.mode = ast::FrameMode::kRows;
  if ((options & kGroups) != 0) frame.mode = ast::FrameMode::kGroups;
  for (const BoundBits& bound : kBounds) {
    if ((options & bound.start) != 0) frame.start.kind = bound.kind;
    if ((options & bound.end) != 0) frame.end.kind = bound.kind;
  }
  if ((options & kExcludeCurrentRow) != 0) frame.exclude = "current row";
  if ((options & kExcludeGroup) != 0) frame.exclude = "group";
  if ((options & kExcludeTies) != 0) frame.exclude = "ties";
  TRY(frame.start.offset, ReadOptional(body, "startOffset"));
  TRY(frame.end.offset, ReadOptional(body, "endOffset"));
  return frame;
}

}  // namespace dpsql
