#pragma once

#include <vector>

#include "backend/lower_expr.h"
#include "sql/ast.h"

// Queries of a bound plan as syntax trees.
namespace dpsql {

// Whether a query writes the ends of its estimates' intervals beside them, as columns l3 and h3.
enum class Ends { kWritten, kLeftOut };

// What a query writes beside its columns.
struct Beside {
  Ends ends = Ends::kWritten;
  std::size_t draws = 0;  // of every noisy number, as columns d3; 0: none
};

// A query as a SELECT; its columns are named c0, c1 …
ast::Select LowerNode(const QueryNode& node, const Catalog& catalog, const DoorNumbers& doors,
                      Beside beside = {});

// The scans of a relation, joined.
std::vector<ast::From> LowerFrom(const LowerScope& scope);

// The relation's conditions, and an owner for every private row.
std::vector<ast::ExprPtr> LowerConditions(const LowerScope& scope);

ast::ExprPtr LowerOwner(const LowerScope& scope);

// Whether the tested scan has a row that fulfils its conditions.
ast::ExprPtr LowerExists(std::size_t scan, const LowerScope& scope);

// The table in which the release of a door is kept.
std::string ReleaseName(std::size_t door);

}  // namespace dpsql
