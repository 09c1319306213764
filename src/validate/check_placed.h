#pragma once

#include "validate/bound_query.h"

namespace dpsql {

// Ends in a bug report (base/check.h) where an expression of the query names what its relation does
// not have: a stand-in that was never placed, or a column of another query. Nothing of the sort may
// reach the planner, so the tree is walked once more when it is done.
void CheckPlaced(const QueryNode& node, const Catalog& catalog);

}  // namespace dpsql
