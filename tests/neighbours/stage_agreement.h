#pragma once

#include <optional>
#include <string>

#include "backend/door_cells.h"
#include "backend/key_set.h"
#include "neighbours/exact_side.h"
#include "plan/dp_plan.h"

namespace dpsql {

// Where the two stages of one side's door disagree, or nothing: who was counted for a shown cell
// contributes to all that is released of it, so that k people stand behind each number.
//
// Units: stage 1 counts a unit in the first C0 of its groups, stage 2 in the first C0 of those that
// are shown and hold rows of the class, by the same priority. A group that is first among more is
// first among fewer, so that nobody who was counted is lost. Nobody is added either where no unit
// has more than C0 groups, where rows are units, and where all groups are shown and the class is
// that of every row: then both numbers are the same. Not where the owner says what keys are unique:
// here he may be wrong, and his word makes a plan say that rows are units, or units in one group.
//
// Rows and moments: the coordinates of a unit in a cell sum to One per row, and a clip leaves a
// step of it at least, so that each unit that was counted adds 1 or more.
//
// Of values nothing is said: they can be zero. Where no cells are selected nothing is counted.
std::optional<std::string> FindBetweenStages(const Door& planned, const DoorIntegers& side,
                                             const KeySet& keys, Keys believed);

}  // namespace dpsql
