#pragma once

#include <string>

#include "plan/dp_plan.h"
#include "sql/ast.h"

namespace dpsql {

// What an expression is over: a relation, and the numbers of the doors whose releases it reads.
struct LowerScope {
  const Relation& relation;
  const Catalog& catalog;
  const DoorNumbers& doors;
  // How many draws of its noise stand beside each noisy number, as a list d3 beside c3; 0: none.
  std::size_t draws = 0;
  // Whether noisy numbers are read as the draw at hand, inside of a list that is computed.
  bool of_draw = false;

  const Scan& scan(std::size_t at) const { return relation.scans.at(at); }
};

// The alias of a scan in the SQL that we print.
std::string ScanName(std::size_t scan);

// The name of a column there: its own in a table, its position in a query.
std::string ColumnName(BoundColumn at, const LowerScope& scope);

// Whether an expression is an aggregate of a release, unchanged: then its ends are beside it.
bool IsEstimate(const BoundExpr& expr, const Relation& relation);

// Whether a number is computed from estimates of releases, row by row, and so has draws. Not where
// it also reads what was computed from them across rows, whose noise is not drawn.
bool HasDraws(const BoundExpr& expr, const Relation& relation);

// The draws of such a number.
ast::ExprPtr LowerDraws(const BoundExpr& expr, const LowerScope& scope);

// A row expression with every column qualified by its scan. Total: overflow and NaN are NULL.
ast::ExprPtr LowerExpr(const BoundExpr& expr, const LowerScope& query);

// The argument of an aggregate: numbers as DOUBLE, so that presence and value agree on NaN.
ast::ExprPtr LowerArgument(const BoundExpr& argument, const LowerScope& query);

}  // namespace dpsql
