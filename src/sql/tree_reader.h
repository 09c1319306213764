#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "sql/grammar_tree.h"
#include "sql/parameter_uses.h"
#include "sql/privacy_clauses.h"
#include "sql/tokens.h"

namespace dpsql {

// Turns the grammar's answer into our tree and finds every span. The world is closed: each reader
// names the fields it understands, and a node or a field that nobody names is refused.
//
// Select, FROM and joins carry no place in the grammar's answer. They are found by reading the
// tokens in step with the tree: a reader is told at which token its construct may begin.
class TreeReader {
 public:
  // Requires: the tokens are those of the text without the clauses.
  TreeReader(const Tokens& tokens, const PrivacyClauses& clauses, const ParameterUses& uses)
      : tokens_(tokens), clauses_(clauses.clauses), uses_(uses), attached_(clauses_.size()) {}

  Result<std::vector<ast::Statement>> Read(const GrammarNode& root);

 private:
  using ExprReader = Result<ast::Expr> (TreeReader::*)(const GrammarNode&);
  struct ExprKind {
    std::string_view type;
    ExprReader read;
  };

  // tree_reader.cc: statements, and what every reader uses.
  Result<ast::Statement> ReadStatement(const GrammarNode& raw);
  std::vector<SourceSpan> ClausesIn(SourceSpan span) const;
  Result<ast::Statement> ReadExplain(const GrammarNode& body, SourceSpan span);
  Result<ast::Statement> ReadSet(const GrammarNode& body, SourceSpan span);
  Result<std::string> ReadSetValue(const std::vector<GrammarNode>& values,
                                   const ast::SetStatement& set);
  SourceSpan StatementSpan(const GrammarNode& raw) const;
  Error NotAQuestion(SourceSpan span) const;
  Error Unsupported(std::string what, SourceSpan span) const;
  Error UnknownNode(const GrammarNode& wrapper) const;
  // Refuses a node with a field that is not among `known`, and remembers the node's place.
  Status Allow(const GrammarNode& body, std::initializer_list<std::string_view> known);
  // The one child of a wrapper such as {"A_Expr": {…}}.
  static const GrammarNode& Unwrap(const GrammarNode& wrapper);
  // The token at which a node says that it is; kNone for one that the grammar made up.
  std::size_t TokenOf(const GrammarNode& body) const;
  Result<std::vector<std::string>> ReadNames(const std::vector<GrammarNode>& list) const;

  // tree_reader_select.cc
  Result<ast::SelectPtr> ReadQuery(const GrammarNode& wrapper, std::size_t start,
                                   std::size_t limit);
  Result<ast::Select> ReadSelect(const GrammarNode& body, std::size_t start, std::size_t limit);
  Status RefuseSideEffects(const GrammarNode& body, std::size_t start) const;
  Result<std::size_t> ReadWith(const GrammarNode& with, ast::Select& select);
  Result<ast::Cte> ReadCte(const GrammarNode& body);
  Status ReadSetOperation(const GrammarNode& body, std::size_t start, ast::Select& select);
  Status ReadBlock(const GrammarNode& body, std::size_t start, ast::Select& select);
  // Gives the block its privacy clause, if its SELECT has one.
  void AttachClause(ast::Select& select);
  Status ReadTargets(const GrammarNode& body, ast::Select& select);
  Status ReadValues(const GrammarNode& body, ast::Select& select);
  Status ReadTail(const GrammarNode& body, ast::Select& select);
  SourceSpan WithTail(SourceSpan span, std::size_t limit) const;
  Result<ast::GroupItem> ReadGroupItem(const GrammarNode& wrapper);

  // tree_reader_from.cc
  Status ReadFromList(const GrammarNode& body, std::size_t start, ast::Select& select);
  Result<ast::From> ReadFrom(const GrammarNode& wrapper, std::size_t start);
  Result<ast::From> ReadTable(const GrammarNode& body);
  Result<ast::From> ReadDerivedTable(const GrammarNode& body, std::size_t start);
  Result<ast::From> ReadTableFunction(const GrammarNode& body);
  Result<ast::From> ReadJoin(const GrammarNode& body, std::size_t start);
  Result<std::size_t> ReadJoinCondition(const GrammarNode& body, std::size_t last, ast::Join& join);
  // Reads the alias of a leaf whose own part ends at token `last`; answers its last token.
  Result<std::size_t> ReadAlias(const GrammarNode& body, std::size_t last, ast::From& from);

  // tree_reader_expr.cc
  Result<ast::Expr> ReadExpr(const GrammarNode& wrapper);
  Result<ast::ExprPtr> ReadExprPtr(const GrammarNode& wrapper);
  Result<ast::ExprPtr> ReadOptional(const GrammarNode& body, std::string_view field);
  Result<std::vector<ast::ExprPtr>> ReadExprs(const std::vector<GrammarNode>& list);
  Result<std::vector<ast::OrderItem>> ReadOrder(const std::vector<GrammarNode>& list);
  Result<ast::Expr> ReadConstant(const GrammarNode& body);
  Result<ast::Expr> ReadColumn(const GrammarNode& body);
  Result<ast::Expr> ReadParameter(const GrammarNode& body);
  Result<ast::Expr> ReadLogic(const GrammarNode& body);
  Result<ast::Expr> ReadNullTest(const GrammarNode& body);
  Result<ast::Expr> ReadBooleanTest(const GrammarNode& body);
  Result<ast::Expr> ReadCase(const GrammarNode& body);
  Result<ast::Expr> ReadRow(const GrammarNode& body);
  Result<ast::Expr> ReadSubquery(const GrammarNode& body);
  ast::Expr MakeTest(ast::Test test, std::size_t at) const;
  // A number with its folded signs and the brackets between; `last` becomes its last token.
  std::string NumberAt(std::size_t first, std::size_t& last) const;

  // tree_reader_operator.cc
  Result<ast::Expr> ReadOperation(const GrammarNode& body);
  Result<ast::Expr> ReadOperator(const GrammarNode& body, std::string name);
  Result<ast::Expr> ReadPatternMatch(const GrammarNode& body);
  Result<ast::Expr> ReadBetween(const GrammarNode& body);
  Result<ast::Expr> ReadInList(const GrammarNode& body);
  Result<ast::Expr> ReadNullIf(const GrammarNode& body);
  Result<std::string> OperatorName(const std::vector<GrammarNode>& list) const;

  // tree_reader_call.cc
  Result<ast::Expr> ReadFunction(const GrammarNode& body);
  Result<ast::Expr> ReadCoalesce(const GrammarNode& body);
  Result<ast::Expr> ReadMinMax(const GrammarNode& body);
  Result<ast::Expr> ReadGrouping(const GrammarNode& body);
  Result<ast::Expr> ReadValueFunction(const GrammarNode& body);
  Result<ast::Expr> ReadKeywordCall(const GrammarNode& body, std::string name);
  Result<std::vector<ast::Argument>> ReadArguments(const std::vector<GrammarNode>& list);
  SourceSpan InfixCallSpan(const ast::Call& call, std::size_t at) const;
  std::size_t EndOfCall(const GrammarNode& body, std::size_t close) const;
  Result<ast::Window> ReadWindow(const GrammarNode& body);
  Result<ast::Frame> ReadFrame(const GrammarNode& body);

  // tree_reader_type.cc
  Result<ast::Expr> ReadCast(const GrammarNode& body);
  Result<ast::TypeName> ReadType(const GrammarNode& body);
  Result<std::int64_t> ReadModifier(const GrammarNode& wrapper) const;

  static const ExprKind kExprKinds[];

  const Tokens& tokens_;
  const std::vector<PrivacyClauses::Clause>& clauses_;
  const ParameterUses& uses_;
  std::vector<bool> attached_;  // which of the clauses have found their block
  SourceSpan here_;             // the last place read: where a construct without one is shown
};

}  // namespace dpsql
