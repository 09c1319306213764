#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/merged_cells.h"
#include "backend/priority.h"

namespace dpsql {

// A unit's set of distinct values in one group.
struct OwnValues {
  std::size_t part = 0;
  std::uint64_t unit = 0;                 // as the part's view named it
  std::span<const std::uint32_t> values;  // codes
};

// How many values units claim in one group, each at most one that nobody claimed before: units by
// (number of own values, priority, name), a unit's values by (priority, bytes).
// Ensures: adding a unit adds 0 or 1.
// Proof: run both in parallel, A and A' claimed; A is within A' and |A' - A| <= 1 from the new unit
// on. The next unit takes the first of its values outside of A, or of A'. The one taken in the
// smaller world is in A' already or is the first outside of A' too, so A stays within A'; and
// whoever takes one in the larger world had one to take in the smaller. The order of units is a
// function of each unit's own rows and the key.
std::int64_t ClaimValues(const MergedCells& cells, std::size_t distinct, const PriorityKey& key,
                         std::span<const OwnValues> units);

}  // namespace dpsql
