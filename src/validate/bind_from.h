#pragma once

#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"
#include "validate/scope.h"

namespace dpsql {

// The CTEs a query block can see: the nearest first. One may use those before it.
struct CteScope {
  const CteScope* outer = nullptr;
  const ast::Cte* cte = nullptr;
};

// Binds FROM and WHERE of one block: its tables, derived tables and CTEs, its joins and conditions,
// and at the top level of WHERE the tests `x IN (SELECT …)` and `EXISTS (SELECT …)`, which become
// joins with the distinct values of the subquery. Ends with the relation's owner resolved.
class FromBinder {
 public:
  FromBinder(const ast::Select& select, const CteScope* ctes, Scope& scope, Relation& relation)
      : select_(select), ctes_(ctes), scope_(scope), relation_(relation) {}

  // Lets top-level equalities of WHERE name one column of an outer query (EXISTS). They do not
  // become conditions; `correlations` gives them back.
  void CorrelateWith(const Scope* outer) { outer_ = outer; }

  Status Bind();

  // An inner and an outer column that must be equal.
  struct Correlation {
    BoundExprPtr inner;
    BoundExprPtr outer;
  };
  const std::vector<Correlation>& correlations() const { return correlations_; }

 private:
  struct PendingOn {
    std::size_t scan;
    const ast::Expr* on;
  };

  Status Collect(const ast::From& from);
  Status CollectTable(const ast::From& from);
  Status CollectDerived(const ast::Select& select, const ast::From& from, const CteScope* ctes);
  Status CollectJoin(const ast::Join& join, SourceSpan span);
  Status CollectOuter(const ast::Join& join, SourceSpan span);
  Status BindOn(const PendingOn& pending);
  Status BindWhere(const ast::Expr& where);
  bool BindCorrelation(const ast::Expr& condition);
  Status BindIn(const ast::Subquery& in, SourceSpan span);
  Status BindExists(const ast::Subquery& exists, SourceSpan span);
  Status AddMembership(const std::vector<BoundExprPtr>& outer,
                       const std::shared_ptr<const DerivedTable>& derived, SourceSpan span);
  Status CheckPrivateMembership(const DerivedTable& derived, SourceSpan span) const;
  Status CheckSize();
  void DropNullRows();

  const ast::Select& select_;
  const CteScope* ctes_;
  Scope& scope_;
  Relation& relation_;
  std::vector<const ast::Expr*> conditions_;
  std::vector<PendingOn> pending_;
  const Scope* outer_ = nullptr;
  std::vector<Correlation> correlations_;
};

}  // namespace dpsql
