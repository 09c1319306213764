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
#include "sql/parameter_uses.h"
#include "sql/privacy_clauses.h"
#include "sql/tokens.h"
#include "sql/tree_reader.h"

namespace dpsql {
namespace {

using Statements = std::vector<ast::Statement>;

Result<Statements> ReadGrammar(const std::string& sql, const Tokens& tokens,
                               const PrivacyClauses& clauses, const ParameterUses& uses) {
  TRY(const GrammarTree tree, RunGrammar(sql, tokens));
  return TreeReader(tokens, clauses, uses).Read(tree.root);
}

// The grammar sees the text without the privacy clauses; they come back into the tree by place.
Result<Statements> ReadAround(const std::string& sql, PrivacyClauses clauses,
                              const ParameterUses& uses) {
  const std::string blanked = Blank(sql, clauses);
  TRY(const Tokens tokens, Tokens::Scan(blanked));
  TRY(Statements statements, ReadGrammar(blanked, tokens, clauses, uses));
  std::move(clauses.statements.begin(), clauses.statements.end(), std::back_inserter(statements));
  std::sort(
      statements.begin(), statements.end(),
      [](const ast::Statement& a, const ast::Statement& b) { return a.span.begin < b.span.begin; });
  return statements;
}

Result<Statements> ReadClauses(const std::string& sql, const Tokens& tokens,
                               const ParameterUses& uses) {
  TRY(PrivacyClauses clauses, FindPrivacyClauses(tokens, uses));
  if (clauses.empty()) return ReadGrammar(sql, tokens, clauses, uses);
  return ReadAround(sql, std::move(clauses), uses);
}

Result<Statements> ParseHere(const std::string& sql, const Parameters& parameters) {
  TRY(const Tokens tokens, Tokens::Scan(sql));
  TRY_DONE(CheckTokens(tokens));
  TRY(const ParameterUses uses, ParameterUses::Find(tokens, parameters));
  if (uses.empty()) return ReadClauses(sql, tokens, uses);
  const std::string blanked = uses.Blank(sql);
  TRY(const Tokens numbered, Tokens::Scan(blanked));
  Result<Statements> statements = ReadClauses(blanked, numbered, uses);
  if (!statements) return uses.Restore(std::move(statements).error());
  return statements;
}

}  // namespace

Result<Statements> Parse(std::string_view sql, const Parameters& parameters) {
  TRY_DONE(CheckText(sql));
  const std::string text(sql);
  std::optional<Result<Statements>> statements;
  RunOnLargeStack([&] {
    const GrammarMemory memory;
    statements.emplace(ParseHere(text, parameters));
  });
  return std::move(*statements);
}

}  // namespace dpsql
