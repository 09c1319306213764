#include "sql/tree_reader.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/spans.h"

namespace dpsql {
namespace {

struct SqlName {
  std::string_view name;  // of a node or a field of the grammar
  std::string_view sql;   // as an analyst knows it
};

constexpr SqlName kSqlNames[] = {
    {"A_ArrayExpr", "ARRAY[…]"},
    {"A_Indirection", "a subscript or a field of an expression"},
    {"CollateClause", "COLLATE"},
    {"CurrentOfExpr", "WHERE CURRENT OF"},
    {"MultiAssignRef", "assignment"},
    {"NamedArgExpr", "a named argument outside a call"},
    {"RangeTableFunc", "XMLTABLE"},
    {"RangeTableSample", "TABLESAMPLE"},
    {"SetToDefault", "DEFAULT"},
    {"XmlExpr", "XML expressions"},
    {"XmlSerialize", "XMLSERIALIZE"},
    {"bsval", "a bit string constant"},
    {"coldeflist", "a column definition list"},
    {"cycle_clause", "CYCLE"},
    {"func_variadic", "VARIADIC"},
    {"indirection", "a subscript or a field of an expression"},
    {"is_rowsfrom", "ROWS FROM"},
    {"join_using_alias", "an alias of USING"},
    {"ordinality", "WITH ORDINALITY"},
    {"pct_type", "%TYPE"},
    {"search_clause", "SEARCH"},
    {"setof", "SETOF"},
    {"useOp", "ORDER BY … USING"},
};

std::string SqlNameOf(std::string_view name) {
  for (const SqlName& known : kSqlNames) {
    if (known.name == name) return std::string(known.sql);
  }
  return std::string(name);
}

constexpr std::string_view kSettingPrefix = "dp.";

}  // namespace

Result<std::vector<ast::Statement>> TreeReader::Read(const GrammarNode& root) {
  TRY_DONE(Allow(root, {"version", "stmts"}));
  std::vector<ast::Statement> statements;
  for (const GrammarNode& raw : root.List("stmts")) {
    TRY(ast::Statement statement, ReadStatement(raw));
    statements.push_back(std::move(statement));
  }
  // A word SELECT may be a label (`SELECT a select …`); what stands behind it is no clause.
  const auto lost = std::find(attached_.begin(), attached_.end(), false) - attached_.begin();
  const auto index = static_cast<std::size_t>(lost);
  if (index < clauses_.size()) {
    return Unsupported("privacy options here", clauses_[index].options.span);
  }
  return statements;
}

std::vector<SourceSpan> TreeReader::ClausesIn(SourceSpan span) const {
  std::vector<SourceSpan> spans;
  for (const PrivacyClauses::Clause& clause : clauses_) {
    const bool inside = clause.select_begin >= span.begin && clause.select_begin < span.end;
    if (inside) spans.push_back(clause.options.span);
  }
  return spans;
}

SourceSpan TreeReader::StatementSpan(const GrammarNode& raw) const {
  const auto begin = static_cast<std::uint32_t>(raw.Integer("stmt_location"));
  const auto length = static_cast<std::uint32_t>(raw.Integer("stmt_len"));
  const std::size_t first = tokens_.At(begin);
  std::size_t last = length == 0 ? tokens_.size() - 1 : tokens_.At(begin + length) - 1;
  while (last > first && tokens_.Is(last, ";")) --last;
  return tokens_.SpanOf(first, last);
}

Result<ast::Statement> TreeReader::ReadStatement(const GrammarNode& raw) {
  here_ = StatementSpan(raw);
  TRY_DONE(Allow(raw, {"stmt", "stmt_location", "stmt_len"}));
  const SourceSpan span = StatementSpan(raw);
  const GrammarNode& body = Unwrap(*raw.Find("stmt"));
  if (body.key == "ExplainStmt") return ReadExplain(body, span);
  if (body.key == "VariableSetStmt") return ReadSet(body, span);
  if (body.key != "SelectStmt") return NotAQuestion(span);
  TRY(ast::Select select, ReadSelect(body, FirstToken(tokens_, span), Tokens::kNone));
  ast::Statement statement;
  statement.node = ast::SelectStatement{std::move(select)};
  statement.privacy_clauses = ClausesIn(span);
  statement.span = span;
  return statement;
}

Result<ast::Statement> TreeReader::ReadExplain(const GrammarNode& body, SourceSpan span) {
  const std::size_t first = FirstToken(tokens_, span);
  const std::vector<GrammarNode>& options = body.List("options");
  const GrammarNode* option = options.size() == 1 ? &Unwrap(options[0]) : nullptr;
  const bool dp = option != nullptr && option->Text("defname") == "dp" &&
                  option->Find("arg") == nullptr && tokens_.Is(first + 1, "(");
  if (!dp) {
    return MakeError(ErrorCode::kUnsupportedStatement,
                     "only the plan of the private answer can be explained", tokens_[first].span,
                     "write EXPLAIN (DP) SELECT …");
  }
  TRY_DONE(Allow(body, {"query", "options"}));
  TRY_DONE(Allow(*option, {"defname", "defaction", "location"}));
  const GrammarNode& query = Unwrap(*body.Find("query"));
  const std::size_t start = tokens_.Partner(first + 1) + 1;
  if (query.key != "SelectStmt") {
    return NotAQuestion({tokens_[start].span.begin, span.end});
  }
  TRY(ast::Select select, ReadSelect(query, start, Tokens::kNone));
  ast::Statement statement;
  statement.node = ast::ExplainStatement{std::move(select)};
  statement.privacy_clauses = ClausesIn(span);
  statement.span = span;
  return statement;
}

Result<ast::Statement> TreeReader::ReadSet(const GrammarNode& body, SourceSpan span) {
  const std::string_view name = body.Text("name");
  if (body.Text("kind") != "VAR_SET_VALUE" || !name.starts_with(kSettingPrefix)) {
    return NotAQuestion(span);
  }
  TRY_DONE(Allow(body, {"kind", "name", "args", "is_local"}));
  const std::size_t first = FirstToken(tokens_, span);
  if (body.Bool("is_local")) {
    return Unsupported("SET LOCAL", tokens_.SpanOf(first, first + 1));
  }
  std::size_t dot = first;
  while (!tokens_.Is(dot, ".")) ++dot;
  std::size_t assign = dot;
  while (!tokens_.Is(assign, "=") && !tokens_.Is(assign, "to")) ++assign;
  ast::SetStatement set;
  set.name = name;
  set.name_span = tokens_.SpanOf(dot - 1, assign - 1);
  set.value_span = tokens_.SpanOf(assign + 1, LastToken(tokens_, span));
  TRY(set.value, ReadSetValue(body.List("args"), set));
  ast::Statement statement;
  statement.node = std::move(set);
  statement.span = span;
  return statement;
}

Result<std::string> TreeReader::ReadSetValue(const std::vector<GrammarNode>& values,
                                             const ast::SetStatement& set) {
  const ParameterUse* use = uses_.At(set.value_span.begin);
  if (values.size() == 1 && use != nullptr) return use->SettingText();
  if (values.size() != 1 || Unwrap(values[0]).key != "A_Const") {
    return MakeError(ErrorCode::kBadSetting, "a setting takes one value: " + set.name,
                     set.value_span);
  }
  const GrammarNode& constant = Unwrap(values[0]);
  TRY_DONE(Allow(constant, {"ival", "fval", "sval", "location"}));
  if (const GrammarNode* text = constant.Find("sval")) return std::string(text->Text("sval"));
  std::size_t last = FirstToken(tokens_, set.value_span);
  return NumberAt(last, last);
}

Error TreeReader::NotAQuestion(SourceSpan span) const {
  const std::size_t first = FirstToken(tokens_, span);
  std::string word(tokens_.text(first));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return MakeError(ErrorCode::kUnsupportedStatement, "this statement is not a question: " + word,
                   tokens_[first].span);
}

Error TreeReader::Unsupported(std::string what, SourceSpan span) const {
  return MakeError(ErrorCode::kUnsupportedSyntax, "syntax is not supported: " + std::move(what),
                   span.empty() ? here_ : span);
}

Error TreeReader::UnknownNode(const GrammarNode& wrapper) const {
  const GrammarNode& body = Unwrap(wrapper);
  const std::size_t at = TokenOf(body);
  const bool placed = at != Tokens::kNone && body.Find("location") != nullptr;
  return Unsupported(SqlNameOf(body.key), placed ? tokens_[at].span : here_);
}

Status TreeReader::Allow(const GrammarNode& body, std::initializer_list<std::string_view> known) {
  if (body.Find("location") != nullptr && TokenOf(body) != Tokens::kNone) {
    here_ = tokens_[TokenOf(body)].span;
  }
  for (const GrammarNode& field : body.children) {
    if (std::find(known.begin(), known.end(), field.key) == known.end()) {
      return Unsupported(SqlNameOf(field.key), here_);
    }
  }
  return Done{};
}

const GrammarNode& TreeReader::Unwrap(const GrammarNode& wrapper) {
  Check(wrapper.children.size() == 1, "a node of the grammar has one type");
  return wrapper.children[0];
}

std::size_t TreeReader::TokenOf(const GrammarNode& body) const {
  const std::int64_t location = body.Integer("location");
  if (location < 0) return Tokens::kNone;
  const std::size_t token = tokens_.At(static_cast<std::uint32_t>(location));
  return token < tokens_.size() ? token : Tokens::kNone;
}

Result<std::vector<std::string>> TreeReader::ReadNames(const std::vector<GrammarNode>& list) const {
  std::vector<std::string> names;
  for (const GrammarNode& item : list) {
    const GrammarNode& body = Unwrap(item);
    if (body.key != "String") return UnknownNode(item);
    names.emplace_back(body.Text("sval"));
  }
  return names;
}

}  // namespace dpsql
