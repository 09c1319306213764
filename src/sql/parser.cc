#include "sql/parser.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/try.h"
#include "sql/grammar_memory.h"
#include "sql/grammar_tree.h"
#include "sql/large_stack.h"
#include "sql/limits.h"
#include "sql/privacy_clauses.h"
#include "sql/tokens.h"
#include "sql/tree_reader.h"

namespace dpsql {
namespace {

using Statements = std::vector<ast::Statement>;

Result<Statements> ReadGrammar(const std::string& sql, const Tokens& tokens,
                               const PrivacyClauses& clauses) {
  TRY(const GrammarTree tree, RunGrammar(sql, tokens));
  return TreeReader(tokens, clauses).Read(tree.root);
}

// The grammar sees the text without the privacy clauses; they come back into the tree by place.
Result<Statements> ReadAround(const std::string& sql, PrivacyClauses clauses) {
  const std::string blanked = Blank(sql, clauses);
  TRY(const Tokens tokens, Tokens::Scan(blanked));
  TRY(Statements statements, ReadGrammar(blanked, tokens, clauses));
  std::move(clauses.statements.begin(), clauses.statements.end(), std::back_inserter(statements));
  std::sort(
      statements.begin(), statements.end(),
      [](const ast::Statement& a, const ast::Statement& b) { return a.span.begin < b.span.begin; });
  return statements;
}

Result<Statements> ParseHere(const std::string& sql) {
  TRY(const Tokens tokens, Tokens::Scan(sql));
  TRY_DONE(CheckTokens(tokens));
  TRY(PrivacyClauses clauses, FindPrivacyClauses(tokens));
  if (clauses.empty()) return ReadGrammar(sql, tokens, clauses);
  return ReadAround(sql, std::move(clauses));
}

}  // namespace

Result<Statements> Parse(std::string_view sql) {
  TRY_DONE(CheckText(sql));
  const std::string text(sql);
  std::optional<Result<Statements>> statements;
  RunOnLargeStack([&] {
    const GrammarMemory memory;
    statements.emplace(ParseHere(text));
  });
  return std::move(*statements);
}

}  // namespace dpsql
