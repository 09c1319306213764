#include <memory>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "sql/spans.h"
#include "sql/tree_reader.h"

namespace dpsql {

Status TreeReader::ReadFromList(const GrammarNode& body, std::size_t start, ast::Select& select) {
  for (const GrammarNode& item : body.List("fromClause")) {
    TRY(ast::From from, ReadFrom(item, start));
    // The comma stands between one item, with its brackets, and the next.
    start = LastToken(tokens_, WithBrackets(tokens_, from.span)) + 2;
    select.from.push_back(std::move(from));
  }
  return Done{};
}

Result<ast::From> TreeReader::ReadFrom(const GrammarNode& wrapper, std::size_t start) {
  if (start < tokens_.size()) here_ = tokens_[start].span;
  const GrammarNode& body = Unwrap(wrapper);
  if (body.key == "RangeVar") return ReadTable(body);
  if (body.key == "RangeSubselect") return ReadDerivedTable(body, start);
  if (body.key == "RangeFunction") return ReadTableFunction(body);
  if (body.key == "JoinExpr") return ReadJoin(body, start);
  return UnknownNode(wrapper);
}

Result<ast::From> TreeReader::ReadTable(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"catalogname", "schemaname", "relname", "inh", "relpersistence", "alias",
                        "location"}));
  if (!body.Bool("inh")) return Unsupported("ONLY", here_);
  if (body.Text("relpersistence") != "p") return Unsupported("a temporary table", here_);
  ast::TableName table;
  for (const std::string_view part : {"catalogname", "schemaname", "relname"}) {
    if (body.Find(part) != nullptr) table.parts.emplace_back(body.Text(part));
  }
  const std::size_t first = TokenOf(body);
  std::size_t last = first + 2 * (table.parts.size() - 1);
  // `FROM t *` is an old spelling of `FROM t`.
  if (tokens_.Is(last + 1, "*")) ++last;
  ast::From from;
  from.node = std::move(table);
  TRY(last, ReadAlias(body, last, from));
  from.span = tokens_.SpanOf(first, last);
  return from;
}

Result<ast::From> TreeReader::ReadDerivedTable(const GrammarNode& body, std::size_t start) {
  TRY_DONE(Allow(body, {"lateral", "subquery", "alias"}));
  ast::DerivedTable derived;
  derived.lateral = body.Bool("lateral");
  while (derived.lateral && !tokens_.Is(start, "lateral")) ++start;
  if (derived.lateral) ++start;
  TRY(derived.select, ReadQuery(*body.Find("subquery"), start, Tokens::kNone));
  // An alias must follow, so every bracket directly around the query belongs to it.
  const SourceSpan query = WithBrackets(tokens_, derived.select->span);
  const std::size_t first = FirstToken(tokens_, query) - (derived.lateral ? 1 : 0);
  ast::From from;
  from.node = std::move(derived);
  TRY(const std::size_t last, ReadAlias(body, LastToken(tokens_, query), from));
  from.span = tokens_.SpanOf(first, last);
  return from;
}

Result<ast::From> TreeReader::ReadTableFunction(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"lateral", "functions", "alias"}));
  // One function, and an empty object where its column definitions would stand.
  const std::vector<GrammarNode>& functions = body.List("functions");
  if (functions.size() != 1) return Unsupported("ROWS FROM", here_);
  const std::vector<GrammarNode>& parts = Unwrap(functions[0]).List("items");
  if (parts.size() != 2 || !parts[1].children.empty()) {
    return Unsupported("a column definition list", here_);
  }
  ast::TableFunction function;
  function.lateral = body.Bool("lateral");
  TRY(function.call, ReadExprPtr(parts[0]));
  if (!std::holds_alternative<ast::Call>(function.call->node)) {
    return Unsupported("this expression in FROM", function.call->span);
  }
  const SourceSpan call = function.call->span;
  const std::size_t first = FirstToken(tokens_, call) - (function.lateral ? 1 : 0);
  ast::From from;
  from.node = std::move(function);
  TRY(const std::size_t last, ReadAlias(body, LastToken(tokens_, call), from));
  from.span = tokens_.SpanOf(first, last);
  return from;
}

Result<ast::From> TreeReader::ReadJoin(const GrammarNode& body, std::size_t start) {
  TRY_DONE(Allow(body, {"jointype", "isNatural", "larg", "rarg", "usingClause", "quals", "alias"}));
  ast::Join join;
  const std::string_view kind = body.Text("jointype");
  if (kind == "JOIN_LEFT") join.kind = ast::JoinKind::kLeft;
  if (kind == "JOIN_RIGHT") join.kind = ast::JoinKind::kRight;
  if (kind == "JOIN_FULL") join.kind = ast::JoinKind::kFull;
  join.natural = body.Bool("isNatural");
  TRY(ast::From left, ReadFrom(*body.Find("larg"), start));
  const SourceSpan left_span = WithBrackets(tokens_, left.span);
  std::size_t next = LastToken(tokens_, left_span) + 1;
  while (!tokens_.Is(next, "join")) ++next;
  TRY(ast::From right, ReadFrom(*body.Find("rarg"), next + 1));
  const SourceSpan right_span = WithBrackets(tokens_, right.span);
  join.left = std::make_unique<ast::From>(std::move(left));
  join.right = std::make_unique<ast::From>(std::move(right));
  TRY(std::size_t last, ReadJoinCondition(body, LastToken(tokens_, right_span), join));
  ast::From from;
  from.node = std::move(join);
  from.span = {left_span.begin, tokens_[last].span.end};
  if (body.Find("alias") == nullptr) return from;
  // Only a join in brackets has an alias: they belong to it.
  from.span = WithBrackets(tokens_, from.span);
  TRY(last, ReadAlias(body, LastToken(tokens_, from.span), from));
  from.span.end = tokens_[last].span.end;
  return from;
}

// Answers the last token of the condition, or `last` where there is none.
Result<std::size_t> TreeReader::ReadJoinCondition(const GrammarNode& body, std::size_t last,
                                                  ast::Join& join) {
  TRY(join.using_columns, ReadNames(body.List("usingClause")));
  TRY(join.on, ReadOptional(body, "quals"));
  if (join.on != nullptr) return LastToken(tokens_, WithBrackets(tokens_, join.on->span));
  if (!join.using_columns.empty()) return tokens_.Partner(tokens_.NextOpen(last + 1));
  if (!join.natural) join.kind = ast::JoinKind::kCross;
  return last;
}

Result<std::size_t> TreeReader::ReadAlias(const GrammarNode& body, std::size_t last,
                                          ast::From& from) {
  const GrammarNode* alias = body.Find("alias");
  if (alias == nullptr) return last;
  TRY_DONE(Allow(*alias, {"aliasname", "colnames"}));
  from.alias = alias->Text("aliasname");
  TRY(from.column_aliases, ReadNames(alias->List("colnames")));
  if (tokens_.Is(last + 1, "as")) ++last;
  ++last;
  return from.column_aliases.empty() ? last : tokens_.Partner(last + 1);
}

}  // namespace dpsql
