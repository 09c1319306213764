#pragma once

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "validate/bound_query.h"

namespace dpsql {

// Finds whose each row of a join is. Adds the foreign-key joins that lead to the unit where the
// query does not already walk them, and fills the relation's owner, facts and row cap.
//
// Rule: a private scan is owned by its unit column, or, along its declared foreign key, by its
// parent's owner. Two private scans share an owner when top-level equalities of one exact type tie
// their unit columns together, directly or over other columns; so do equalities that make both name
// the same row of a parent table, by its whole unique key and the foreign key that the child's own
// chain uses. All private scans of a join must share one owner; otherwise a
// row would have two (V305). An optional scan (LEFT JOIN) must be equated with the owner by its own
// ON; it owns nothing. A private scan may not be optional beside public ones alone: unmatched
// public rows would appear when the last matching unit leaves. Requires: conditions include
// WHERE's. Ensures: with an owner, the relation is unit-local: D + D_u yields the rows of D plus
// rows that depend on D_u and public tables alone. Proof: docs/proofs/unit-local.md.
Status ResolveOwnership(const Catalog& catalog, Relation& relation);

// The refusal of a private subquery that is asked by public rows, or by rows of other units.
Error NotComparedOnUnit(SourceSpan span);

// Adds a scan that is not inner to a relation whose owner is resolved. A private one must be tied
// to the owner by its own conditions, as above; beside a public relation it is refused.
Status AttachScan(const Catalog& catalog, Relation& relation, Scan scan);

// Whether the expression is a column that holds the unit in every row.
bool HoldsUnit(const BoundExpr& expr, const Relation& relation);

// Whether the expression reads a column that holds the unit, or a copy of it that may be NULL.
bool ReadsUnit(const BoundExpr& expr, const Relation& relation);

}  // namespace dpsql
