#pragma once

#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bind_block.h"
#include "validate/bind_expr.h"
#include "validate/bound_query.h"
#include "validate/scope.h"

namespace dpsql {

// Binds the FROM clause of one block: its tables, queries and CTEs into a scope, and what its inner
// joins ask into a list of conditions.
class FromBinder {
 public:
  FromBinder(CteScope* ctes, Scope& scope, std::vector<BoundExprPtr>& conditions)
      : ctes_(ctes), scope_(scope), conditions_(conditions) {}

  Status Collect(const ast::From& from);

 private:
  // One side of an outer join as a query of its own, with the names it gives its columns.
  struct Side {
    NodePtr node;
    Scope scope;
  };

  Status CollectTable(const ast::From& from);
  Status CollectQuery(const ast::DerivedTable& derived, const ast::From& from);
  Status CollectLateral(const ast::Select& select, const ast::From& from);
  Status CollectJoin(const ast::Join& join, SourceSpan span);
  Status CollectFull(const ast::Join& join, SourceSpan span);
  Status CollectOptional(const ast::From& from);
  Result<Side> BindSide(const ast::From& from) const;
  static Result<std::vector<BoundExprPtr>> BindOn(const ast::Join& join, std::size_t begin,
                                                  std::size_t middle, Scope& scope,
                                                  SourceSpan span);

  CteScope* ctes_;
  Scope& scope_;
  std::vector<BoundExprPtr>& conditions_;
};

// Where the owner says a column has no NULL, rows that have one are dropped, used or not: those of
// an optional table before it is joined. Queries have dropped theirs.
void DropNullRows(const Catalog& catalog, Relation& relation);

}  // namespace dpsql
