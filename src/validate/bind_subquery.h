#pragma once

#include <optional>
#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bind_block.h"
#include "validate/bind_expr.h"
#include "validate/bound_query.h"
#include "validate/rewrite.h"
#include "validate/scope.h"

namespace dpsql {

// The subqueries of a block's expressions. A test (EXISTS, IN, ANY, ALL) becomes a tested scan: is
// there a row of it that fulfils its conditions? A scalar subquery becomes an optional scan that
// has one row at most. Both wait as stand-ins until the relation they belong to is known; whether a
// private one is about the same unit is decided there, like for any other table.
class SubqueryBinder {
 public:
  SubqueryBinder(const Scope& scope, CteScope* ctes) : scope_(scope), ctes_(ctes) {}

  // A subquery as a value: unknown is NULL.
  Result<BoundExprPtr> Bind(const ast::Subquery& subquery, SourceSpan span);

  // A test as a condition, or its negation: unknown counts as false.
  Result<BoundExprPtr> BindTest(const ast::Subquery& subquery, bool negated, SourceSpan span);

  // Gives the waiting scans their places in the relation. `rewrite` says what the block's own
  // columns are there.
  Status Attach(const Catalog& catalog, Relation& relation, const Replace& rewrite);

  // An expression with the stand-ins at their places.
  Result<BoundExprPtr> Place(const BoundExprPtr& expr) const;

 private:
  struct Pending {
    Scan scan;
    std::optional<std::size_t> place;
  };
  // What a test compares: the values asked for, and the query asked.
  struct Test {
    std::vector<BoundExprPtr> operands;
    std::string comparison;
    BoundBlock block;
    SourceSpan span;
  };
  enum class Truth { kTrue, kNotFalse, kFalse, kNotTrue, kUnknown };

  Result<Test> BindOperands(const ast::Subquery& subquery, SourceSpan span);
  Result<BoundExprPtr> BindScalar(const ast::Subquery& subquery, SourceSpan span);
  Result<BoundExprPtr> Compare(const Test& test) const;
  // Whether a row of the subquery makes the comparison true, false, or neither.
  Result<BoundExprPtr> Exists(const Test& test, Truth truth);
  Result<BoundExprPtr> AddTested(const BoundBlock& block, const std::vector<BoundExprPtr>& compared,
                                 SourceSpan span);
  Result<std::vector<BoundExprPtr>> Correlate(const BoundBlock& block) const;
  BoundExprPtr ColumnOf(const BoundBlock& block, std::size_t column, SourceSpan span) const;

  const Scope& scope_;
  CteScope* ctes_;
  std::vector<Pending> pending_;
};

// Hooks for expressions over the rows of a relation: subqueries only.
class RowHooks final : public ExprHooks {
 public:
  explicit RowHooks(SubqueryBinder& subqueries) : subqueries_(subqueries) {}
  Result<BoundExprPtr> BindAggregate(const ast::Call& call, SourceSpan span) override;
  Result<BoundExprPtr> BindWindow(const ast::Call& call, SourceSpan span) override;
  Result<BoundExprPtr> BindSubquery(const ast::Subquery& subquery, SourceSpan span) override;

 private:
  SubqueryBinder& subqueries_;
};

}  // namespace dpsql
