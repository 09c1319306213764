#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bind_from.h"
#include "validate/bound_query.h"

namespace dpsql {

// How a query inside another one is used.
struct DerivedUse {
  const CteScope* ctes = nullptr;
  std::string name;
  bool distinct = false;  // as a set: IN and EXISTS
  // For EXISTS: the outer scope. Equalities of an inner with an outer column are taken out of the
  // subquery; their inner columns become its output, their outer ones go to `outer_columns`.
  const Scope* correlated = nullptr;
  std::vector<BoundExprPtr> outer_columns;
};

// Binds a query that is read by another one. Private stays private: it keeps its owner as a column,
// and may group only by keys that include the owner. A grouping without it would be a door.
// Ensures: unit-local where it reads private tables. Proof: docs/proofs/unit-local.md.
Result<std::shared_ptr<const DerivedTable>> BindDerived(const ast::Select& select,
                                                        const Catalog& catalog, DerivedUse& use);

}  // namespace dpsql
