#pragma once

#include <cstdint>

#include "base/int128.h"
#include "privacy/gaussian.h"

// Basic composition: the epsilons add up and the deltas add up. A filter for queries whose
// parameters are chosen after earlier answers; docs/proofs/accountants.md.
namespace dpsql {

// Sums in fixed point: associative, without drift. A double below 2^32 with a last place of 2^-96
// or more (every epsilon above 2^-44) is represented exactly.
struct BasicState {
  UInt128 epsilon = 0;  // units of 2^-96
  UInt128 delta = 0;    // units of 2^-120
};

// The caps of a budget. Requires: epsilon >= 0, 0 <= delta < 1. Ensures: both rounded down.
BasicState BasicCaps(EpsilonDelta total);

// What an (epsilon, delta)-DP query takes. Requires: both >= 0 and finite. Ensures: both rounded
// up; saturates, and no cap admits a saturated charge unless it is saturated itself.
BasicState BasicCharge(EpsilonDelta query);

// Whether the charge fits. Ensures: no overflow; never true when either sum passes its cap.
bool BasicAdmits(const BasicState& caps, const BasicState& spent, const BasicState& charge);

// The sums after one more query. Ensures: saturates instead of wrapping.
BasicState BasicAfter(const BasicState& spent, const BasicState& charge);

// How many more queries of this charge fit. Ensures: 0 where BasicAdmits is false; a charge of zero
// does not limit; capped at INT64_MAX.
std::int64_t BasicQueriesLeft(const BasicState& caps, const BasicState& spent,
                              const BasicState& charge);

// What was spent, and what is left. Ensures: spent rounded up, left rounded down (0 if overdrawn).
EpsilonDelta BasicSpent(const BasicState& spent);
EpsilonDelta BasicLeft(const BasicState& caps, const BasicState& spent);

}  // namespace dpsql
