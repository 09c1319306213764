#pragma once

#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "validate/bound_query.h"

namespace dpsql {

// Reads a bound tree a second time, with other code than the validator's and without what the
// validator wrote down about units (owners, facts, keys of queries): the policy and the shape of
// the tree must be enough to see that
//
//   - above the doors nothing but public tables and releases is read;
//   - every node below a door is unit-local, by the rules of docs/proofs/unit-local.md;
//   - every expression reads its own relation;
//   - no key and no argument of a door is computed from a unit;
//   - what was written down about units, and about one row per unit, is so.
//
// The first promise that is broken, in words; nothing where all are kept.
std::optional<std::string> FindBrokenPromise(const QueryNode& root, const Catalog& catalog);

// The same for a query that the validator accepted: throws a Bug that names the promise.
void CheckUnitLocal(const BoundQuery& query);

}  // namespace dpsql
