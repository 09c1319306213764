#pragma once

#include <optional>

#include "validate/bound_query.h"

namespace dpsql {

// Where every key of a door is a column of a public table that its rows are joined with, or has
// declared values: the join of those public tables under the conditions that speak of them alone.
// Every row of the door has keys from there, whatever the private tables hold, so that its keys are
// known without a look at them. Nothing where all keys are declared, or some key is neither.
// Ensures: the scans keep their numbers; those that are not part of it are not joined.
std::optional<Relation> PublicKeysOf(const BoundDoor& door);

}  // namespace dpsql
