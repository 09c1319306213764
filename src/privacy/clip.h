#pragma once

#include <cstdint>
#include <span>

#include "base/int128.h"

namespace dpsql {

// Scales one unit's whole statistic vector so that its L2 norm is at most `bound`, exactly.
// Coordinates are first saturated to +-(2^62 - 1), a function of the unit's own rows; the norm is
// computed wide enough never to wrap; the scaled coordinates are truncated toward zero.
// Requires: bound < 2^62, fewer than 2^28 coordinates.
// Ensures: the sum of squares is <= bound^2; vectors already inside are unchanged; signs are kept.
// Proof: |v'_i| <= |v_i| bound / ||v||, hence ||v'|| <= bound; the norm is rounded up.
void ClipL2(std::span<Int128> vector, std::uint64_t bound);

}  // namespace dpsql
