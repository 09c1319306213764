#pragma once

#include "validate/bound_query.h"
#include "validate/scope.h"

namespace dpsql {

// Narrows what the scope knows of columns by the conditions that every row fulfils:
// WHERE x BETWEEN 0 AND 100. Only the rows that pass are summed, and whatever the data hold, the
// clamp enforces the interval; so a wrong one could bias an answer and never unsettle its noise.
void NarrowColumns(const Relation& relation, Scope& scope);

}  // namespace dpsql
