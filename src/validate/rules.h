#pragma once

#include <span>

#include "dpsql/result.h"
#include "validate/bound_query.h"

namespace dpsql {

// A reason to refuse a query that is otherwise well formed. Each rule is a file of its own,
// rule_<name>.cc, with a line in rules.cc; it sees the whole bound query and touches nothing.
using Rule = Status (*)(const BoundDoor& query);

// Applies every rule in order; the first refusal wins.
Status ApplyRules(const BoundDoor& query);

}  // namespace dpsql
