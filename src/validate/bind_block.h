#pragma once

#include <string>
#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"
#include "validate/scope.h"

namespace dpsql {

// The CTEs a query block can see: the nearest first. One may use those before it. Each is bound
// once, and all that read it read the same node.
struct CteScope {
  CteScope* outer = nullptr;
  const ast::Cte* cte = nullptr;
  NodePtr node;
};

// How a query is used.
struct BlockUse {
  CteScope* ctes = nullptr;
  std::string name;              // for messages
  const Scope* outer = nullptr;  // the query around, where WHERE may read its columns
  bool exists = false;           // only whether it has a row matters
  bool scalar = false;           // it stands for a value
  bool root = false;             // its rows are shown
};

// A query as a table, and how it depends on the query around it.
struct BoundBlock {
  NodePtr node;
  std::size_t shown = 0;  // how many columns its text selects; they come first

  // Conditions between columns of the node (kNodeScan) and of the query around (kOuterScans).
  std::vector<BoundExprPtr> correlated;

  // What a correlated aggregate is where the query around finds no row: COUNT is 0 then. The
  // column behind the shown ones is NULL there, and only there.
  BoundExprPtr if_empty;
};

// Binds a query. Private stays private: it keeps its owner as a column and may group only by keys
// that include the owner. Any other grouping of private rows is a door, and what it releases is
// public.
// Ensures: unit-local where it is private. Proof: docs/proofs/unit-local.md.
Result<BoundBlock> BindBlock(const ast::Select& select, const Catalog& catalog,
                             const BlockUse& use);

// Binds a CTE where it was not yet, and answers its node.
Result<NodePtr> BindCte(CteScope& cte, const Catalog& catalog);

// Binds UNION, INTERSECT and EXCEPT (bind_set_operation.cc).
Result<NodePtr> BindSetOperation(const ast::SetOperation& operation, const Catalog& catalog,
                                 CteScope* ctes, SourceSpan span);

}  // namespace dpsql
