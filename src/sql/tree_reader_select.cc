#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/spans.h"
#include "sql/tree_reader.h"

namespace dpsql {
namespace {

bool HasTail(const GrammarNode& body) {
  return body.Find("sortClause") != nullptr || body.Find("limitCount") != nullptr ||
         body.Find("limitOffset") != nullptr;
}

}  // namespace

Result<ast::SelectPtr> TreeReader::ReadQuery(const GrammarNode& wrapper, std::size_t start,
                                             std::size_t limit) {
  const GrammarNode& body = Unwrap(wrapper);
  if (body.key != "SelectStmt") {
    return NotAQuestion(tokens_[start].span);
  }
  TRY(ast::Select select, ReadSelect(body, start, limit));
  return std::make_unique<ast::Select>(std::move(select));
}

// `start` is the first token that can belong to the query or to brackets around it. What stands
// after those brackets is this query's own ORDER BY or LIMIT only before token `limit`.
Result<ast::Select> TreeReader::ReadSelect(const GrammarNode& body, std::size_t start,
                                           std::size_t limit) {
  TRY_DONE(RefuseSideEffects(body, start));
  TRY_DONE(Allow(body, {"distinctClause", "targetList", "fromClause", "whereClause", "groupClause",
                        "groupDistinct", "havingClause", "windowClause", "valuesLists",
                        "sortClause", "limitOffset", "limitCount", "limitOption", "withClause",
                        "op", "all", "larg", "rarg"}));
  ast::Select select;
  const GrammarNode* with = body.Find("withClause");
  const std::size_t with_token = with == nullptr ? Tokens::kNone : TokenOf(*with);
  if (with != nullptr) {
    TRY(start, ReadWith(*with, select));
  }
  if (body.Text("op") == "SETOP_NONE") {
    TRY_DONE(ReadBlock(body, start, select));
  } else {
    TRY_DONE(ReadSetOperation(body, start, select));
  }
  if (with != nullptr) {
    if (HasTail(body)) select.span = WithTail(select.span, limit);
    select.span = {tokens_[with_token].span.begin, WithBrackets(tokens_, select.span).end};
  }
  if (HasTail(body)) select.span = WithTail(select.span, limit);
  TRY_DONE(ReadTail(body, select));
  return select;
}

Status TreeReader::RefuseSideEffects(const GrammarNode& body, std::size_t start) const {
  const bool into = body.Find("intoClause") != nullptr;
  if (!into && body.Find("lockingClause") == nullptr) return Done{};
  const std::string_view word = into ? "into" : "for";
  std::size_t at = start;
  while (at < tokens_.size() && !tokens_.Is(at, word)) ++at;
  return MakeError(ErrorCode::kUnsupportedStatement,
                   std::string("this statement is not a question: SELECT … ") +
                       (into ? "INTO" : "FOR UPDATE or FOR SHARE"),
                   tokens_[at < tokens_.size() ? at : start].span);
}

// Answers the token after the last common table expression.
Result<std::size_t> TreeReader::ReadWith(const GrammarNode& with, ast::Select& select) {
  TRY_DONE(Allow(with, {"ctes", "recursive", "location"}));
  select.recursive = with.Bool("recursive");
  for (const GrammarNode& item : with.List("ctes")) {
    TRY(ast::Cte cte, ReadCte(Unwrap(item)));
    select.with.push_back(std::move(cte));
  }
  return LastToken(tokens_, select.with.back().span) + 1;
}

// MATERIALIZED is a hint about speed and is not kept.
Result<ast::Cte> TreeReader::ReadCte(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"ctename", "aliascolnames", "ctematerialized", "ctequery", "location"}));
  ast::Cte cte;
  cte.name = body.Text("ctename");
  TRY(cte.column_aliases, ReadNames(body.List("aliascolnames")));
  const std::size_t name = TokenOf(body);
  std::size_t open = name + 1;
  if (!cte.column_aliases.empty()) open = tokens_.Partner(open) + 1;
  open = tokens_.NextOpen(open);
  cte.span = tokens_.SpanOf(name, tokens_.Partner(open));
  TRY(cte.select, ReadQuery(*body.Find("ctequery"), open + 1, tokens_.Partner(open)));
  return cte;
}

Status TreeReader::ReadSetOperation(const GrammarNode& body, std::size_t start,
                                    ast::Select& select) {
  const std::string_view op = body.Text("op");
  ast::SetOperation operation{.op = op == "SETOP_UNION"       ? ast::SetOp::kUnion
                                    : op == "SETOP_INTERSECT" ? ast::SetOp::kIntersect
                                                              : ast::SetOp::kExcept,
                              .all = body.Bool("all"),
                              .left = nullptr,
                              .right = nullptr};
  TRY(ast::Select left, ReadSelect(*body.Find("larg"), start, Tokens::kNone));
  const SourceSpan left_span = WithBrackets(tokens_, left.span);
  std::size_t next = LastToken(tokens_, left_span) + 2;
  if (tokens_.Is(next, "all") || tokens_.Is(next, "distinct")) ++next;
  // A LIMIT after an operand belongs to the whole, unless brackets say otherwise.
  const std::size_t limit = tokens_.Is(next, "(") ? tokens_.Partner(next) : 0;
  TRY(ast::Select right, ReadSelect(*body.Find("rarg"), next, limit));
  select.span = {left_span.begin, WithBrackets(tokens_, right.span).end};
  operation.left = std::make_unique<ast::Select>(std::move(left));
  operation.right = std::make_unique<ast::Select>(std::move(right));
  select.set_operation = std::move(operation);
  return Done{};
}

Status TreeReader::ReadBlock(const GrammarNode& body, std::size_t start, ast::Select& select) {
  std::size_t first = start;
  while (tokens_.Is(first, "(")) ++first;
  const std::size_t end = AfterQueryBody(tokens_, first);
  select.span = tokens_.SpanOf(first, end - 1);
  here_ = tokens_[first].span;
  AttachClause(select);
  TRY_DONE(ReadTargets(body, select));
  if (body.Find("fromClause") != nullptr) {
    const bool table = tokens_.Is(first, "table");
    const std::size_t from = table ? first : FindFrom(tokens_, first, end);
    TRY_DONE(ReadFromList(body, from + 1, select));
  }
  TRY(select.where, ReadOptional(body, "whereClause"));
  for (const GrammarNode& item : body.List("groupClause")) {
    TRY(ast::GroupItem group, ReadGroupItem(item));
    select.group_by.push_back(std::move(group));
  }
  select.group_distinct = body.Bool("groupDistinct");
  TRY(select.having, ReadOptional(body, "havingClause"));
  for (const GrammarNode& item : body.List("windowClause")) {
    TRY(ast::Window window, ReadWindow(Unwrap(item)));
    select.windows.push_back(std::move(window));
  }
  return ReadValues(body, select);
}

void TreeReader::AttachClause(ast::Select& select) {
  const auto at = std::lower_bound(clauses_.begin(), clauses_.end(), select.span.begin,
                                   [](const PrivacyClauses::Clause& clause, std::uint32_t begin) {
                                     return clause.select_begin < begin;
                                   });
  if (at == clauses_.end() || at->select_begin != select.span.begin) return;
  select.privacy = at->options;
  attached_[static_cast<std::size_t>(at - clauses_.begin())] = true;
}

Status TreeReader::ReadTargets(const GrammarNode& body, ast::Select& select) {
  const std::vector<GrammarNode>& distinct = body.List("distinctClause");
  select.distinct = !distinct.empty();
  // A plain DISTINCT is a list of one empty object.
  if (!distinct.empty() && !distinct[0].children.empty()) {
    TRY(select.distinct_on, ReadExprs(distinct));
  }
  for (const GrammarNode& item : body.List("targetList")) {
    const GrammarNode& target = Unwrap(item);
    TRY_DONE(Allow(target, {"name", "val", "location"}));
    ast::SelectItem column;
    column.alias = target.Text("name");
    TRY(column.expr, ReadExprPtr(*target.Find("val")));
    select.items.push_back(std::move(column));
  }
  return Done{};
}

Status TreeReader::ReadValues(const GrammarNode& body, ast::Select& select) {
  for (const GrammarNode& list : body.List("valuesLists")) {
    TRY(std::vector<ast::ExprPtr> row, ReadExprs(Unwrap(list).List("items")));
    select.values.push_back(std::move(row));
  }
  return Done{};
}

// LIMIT ALL reads as no limit.
Status TreeReader::ReadTail(const GrammarNode& body, ast::Select& select) {
  TRY(select.order_by, ReadOrder(body.List("sortClause")));
  here_ = select.span;
  TRY(select.limit, ReadOptional(body, "limitCount"));
  if (select.limit != nullptr && std::holds_alternative<ast::Null>(select.limit->node)) {
    select.limit = nullptr;
  }
  here_ = select.span;
  TRY(select.offset, ReadOptional(body, "limitOffset"));
  select.limit_with_ties = body.Text("limitOption") == "LIMIT_OPTION_WITH_TIES";
  return Done{};
}

// The grammar hangs a LIMIT outside of brackets on the query inside: `(SELECT 1 ORDER BY 1)
// LIMIT 3` is one node. The span grows over such brackets.
SourceSpan TreeReader::WithTail(SourceSpan span, std::size_t limit) const {
  std::size_t first = FirstToken(tokens_, span);
  std::size_t last = LastToken(tokens_, span);
  if (IsQueryTail(tokens_, last + 1)) last = AfterQuery(tokens_, last + 1) - 1;
  std::size_t outer_first = first;
  std::size_t outer_last = last;
  while (outer_first > 0 && tokens_.Is(outer_first - 1, "(") &&
         tokens_.Partner(outer_first - 1) == outer_last + 1) {
    --outer_first;
    ++outer_last;
    if (!IsQueryTail(tokens_, outer_last + 1) || outer_last + 1 >= limit) continue;
    first = outer_first;
    outer_last = AfterQuery(tokens_, outer_last + 1) - 1;
    last = outer_last;
  }
  return tokens_.SpanOf(first, last);
}

Result<ast::GroupItem> TreeReader::ReadGroupItem(const GrammarNode& wrapper) {
  static constexpr std::array<std::pair<std::string_view, ast::GroupingKind>, 4> kKinds = {{
      {"GROUPING_SET_EMPTY", ast::GroupingKind::kEmpty},
      {"GROUPING_SET_ROLLUP", ast::GroupingKind::kRollup},
      {"GROUPING_SET_CUBE", ast::GroupingKind::kCube},
      {"GROUPING_SET_SETS", ast::GroupingKind::kSets},
  }};
  ast::GroupItem item;
  const GrammarNode& body = Unwrap(wrapper);
  if (body.key != "GroupingSet") {
    TRY(item.expr, ReadExprPtr(wrapper));
    item.span = item.expr->span;
    return item;
  }
  TRY_DONE(Allow(body, {"kind", "content", "location"}));
  bool known = false;
  for (const auto& [name, kind] : kKinds) {
    if (body.Text("kind") != name) continue;
    item.kind = kind;
    known = true;
  }
  if (!known) return UnknownNode(wrapper);
  const std::size_t first = TokenOf(body);
  item.span = tokens_.SpanOf(first, tokens_.Partner(tokens_.NextOpen(first)));
  for (const GrammarNode& element : body.List("content")) {
    TRY(ast::GroupItem inner, ReadGroupItem(element));
    item.elements.push_back(std::move(inner));
  }
  return item;
}

}  // namespace dpsql
