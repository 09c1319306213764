#pragma once

#include <cstdint>
#include <span>

#include "base/int128.h"
#include "privacy/moment_grid.h"

namespace dpsql {

// Scales one unit's whole statistic vector so that its L2 norm is at most `bound`, exactly.
// Coordinates are first saturated to +-(2^62 - 1), a function of the unit's own rows; the norm is
// computed wide enough never to wrap; the scaled coordinates are truncated toward zero.
// Requires: bound < 2^62, fewer than 2^28 coordinates.
// Ensures: the sum of squares is <= bound^2; vectors already inside are unchanged; signs are kept.
// Proof: |v'_i| <= |v_i| bound / ||v||, hence ||v'|| <= bound; the norm is rounded up.
void ClipL2(std::span<Int128> vector, std::uint64_t bound);

// The same for the norm that weighs coordinates: sum of weight_i v_i^2 <= whole * bound^2. The
// weights are those of one cell, and the vector has one cell after the other.
// Requires: as above; weights below 2^40, and a whole number of cells.
// Ensures: as above, for this norm. Proof: r^2 >= N / whole for the rounded-up root r, and |v'_i|
// <= |v_i| bound / r, hence the new norm is N bound^2 / r^2 <= whole bound^2.
void ClipWeightedL2(std::span<Int128> vector, const ClipWeights& weights, std::uint64_t bound);

// The same for the L1 norm, for Laplace noise: coordinates are saturated in the same way, then each
// becomes v_i bound / ||v||_1, truncated toward zero.
// Requires: bound < 2^62, fewer than 2^28 coordinates.
// Ensures: the sum of magnitudes is <= bound; vectors already inside are unchanged; signs are kept;
// what becomes of a coordinate does not depend on the order of the others.
// Proof: the norm stays below 2^90 and the products below 2^124, so that nothing wraps; |v'_i| <=
// |v_i| bound / ||v||_1, hence ||v'||_1 <= bound. docs/proofs/laplace.md.
void ClipL1(std::span<Int128> vector, std::uint64_t bound);

}  // namespace dpsql
