#pragma once

#include <string>

#include "neighbours/neighbour_case.h"
#include "neighbours/neighbour_house.h"

namespace dpsql {

// What is wrong with a case in a house of its own, read in each of the manners.
// Requires: they are of one engine.
std::optional<NeighbourFinding> FindIn(const NeighbourCase& tried,
                                       const std::vector<NeighbourHouse::Manner>& manners);

// Takes away words of the question, then units, then rows, then tables, for as long as something is
// wrong in this manner.
NeighbourCase ShrinkCase(NeighbourCase failing, const NeighbourHouse::Manner& manner);

}  // namespace dpsql
