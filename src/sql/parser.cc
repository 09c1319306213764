#include "sql/parser.h"

#include <optional>
#include <string>
#include <utility>

#include "base/try.h"
#include "sql/grammar_tree.h"
#include "sql/large_stack.h"
#include "sql/limits.h"
#include "sql/tokens.h"
#include "sql/tree_reader.h"

namespace dpsql {
namespace {

using Statements = std::vector<ast::Statement>;

Result<Statements> ParseHere(const std::string& sql) {
  TRY(const Tokens tokens, Tokens::Scan(sql));
  TRY_DONE(CheckTokens(tokens));
  TRY(const GrammarTree tree, RunGrammar(sql, tokens));
  return TreeReader(tokens).Read(tree.root);
}

}  // namespace

Result<Statements> Parse(std::string_view sql) {
  TRY_DONE(CheckText(sql));
  const std::string text(sql);
  std::optional<Result<Statements>> statements;
  RunOnLargeStack([&] { statements.emplace(ParseHere(text)); });
  return std::move(*statements);
}

}  // namespace dpsql
