#pragma once

#include <cstddef>

#include "backend/public_table.h"
#include "noise/add_noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// How many draws each number of these releases gets: enough for an interval, and none where there
// are too many numbers.
std::size_t DrawsFor(const DpPlan& plan, const std::vector<NoisyTable>& releases);

// Adds to a release what its aggregates would be with fresh noise on top of the released numbers:
// what an interval of a number computed from several of them needs. Aggregates of one statistic
// share their noise. Post-processing: a function of the release alone, which seeds it; not secret.
// Requires: the rows of `table` are those of the release, sorted.
void AddDraws(const Door& door, const NoisyTable& noisy, std::size_t draws, PublicTable& table);

}  // namespace dpsql
