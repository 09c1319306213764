#pragma once

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "validate/bound_query.h"

namespace dpsql {

// Finds whose each row of a join is. Adds the foreign-key joins that lead to the unit where the
// query does not already walk them, and fills the relation's owner, facts and row cap.
//
// Rule: a private scan is owned by its unit column, or, along its declared foreign key, by its
// parent's owner. Two private scans share an owner when a top-level condition equates their unit
// columns, or equates the complete foreign key of the one with the unique key of the other. All
// private scans of a join must share one owner; otherwise a row would have two (V305).
// Requires: scans and conditions are those of an inner join. Conditions include WHERE's.
// Ensures: with an owner, the relation is unit-local: D + D_u yields the rows of D plus rows that
// depend on D_u and public tables alone. Proof: docs/proofs/unit-local.md.
Status ResolveOwnership(const Catalog& catalog, Relation& relation);

// Whether the expression reads a column that holds the unit.
bool ReadsUnit(const BoundExpr& expr, const Relation& relation);

}  // namespace dpsql
