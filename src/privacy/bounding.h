#pragma once

#include <cstdint>

#include "base/int128.h"

// How far one unit can move a noised sum, under each way of bounding what it contributes. A unit
// comes or goes with all its rows, and the rest of the sum does not depend on it, so that the
// sensitivity is the longest vector a unit can have. Pure functions; no state, no randomness.
//
// All lengths are whole grid steps. An L2 sensitivity is handed on as its square, which is a whole
// number, and a charge is made from it without a root (privacy/fixed_point.h). What does not fit
// saturates at the top of 128 bits: a charge too high, never one too low.
namespace dpsql {

// The most that one row's encoded vector measures, in grid steps.
struct RowNorm {
  std::uint64_t l1 = 0;
  std::uint64_t l2 = 0;
};

// The longest vectors, in both norms. `l2_squared` is the exact supremum of the square; `l1` is
// exact too, or rounded up where a root is in it.
struct Sensitivity {
  UInt128 l2_squared = 0;
  UInt128 l1 = 0;
};

// The unit keeps `rows` rows, wherever they are. Attained where all are the same longest row of one
// group; the triangle inequality has nothing longer.
Sensitivity OfRowBound(std::uint64_t rows, RowNorm row);

// The unit keeps `groups` groups and in each `rows` rows, or their sum scaled to that many. Groups
// are different coordinates, so that their squares add: groups (rows l2)^2.
Sensitivity OfGroupsAndRows(std::uint64_t groups, std::uint64_t rows, RowNorm row);

// The unit keeps `groups` groups, and every one of the `coordinates` sums of a group is clipped to
// +-clip. Each coordinate may be at its clip: groups coordinates clip^2, and not groups clip^2.
Sensitivity OfSumClip(std::uint64_t groups, std::uint64_t coordinates, std::uint64_t clip);

// The unit keeps everything, scaled to an L1 norm of `bound`. The longest in L2 has it all in one
// coordinate.
Sensitivity OfL1Clip(std::uint64_t bound);

// The unit keeps everything, scaled to an L2 norm of `bound`. The longest in L1 has it spread
// evenly over its `coordinates`, those of all groups together: sqrt(coordinates) bound, rounded up.
Sensitivity OfL2Clip(std::uint64_t bound, std::uint64_t coordinates);

// The square root for display. Ensures: a double not below the root, and within one unit in the
// last place of the least such.
double L2Up(const Sensitivity& sensitivity);

}  // namespace dpsql
