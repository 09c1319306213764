#pragma once

#include "privacy/gaussian.h"
#include "privacy/purses.h"

// Basic composition: the epsilons add up and the deltas add up. A filter for queries whose
// parameters are chosen after earlier answers; docs/proofs/accountants.md.
// A double below 2^32 with a last place of 2^-96 or more (every epsilon above 2^-44) is represented
// exactly.
namespace dpsql {

// The caps of a budget. Requires: epsilon >= 0, 0 <= delta < 1. Ensures: both rounded down.
Purses BasicCaps(EpsilonDelta total);

// What an (epsilon, delta)-DP query takes. Requires: both >= 0 and finite. Ensures: both rounded
// up; saturates, and no cap admits a saturated charge.
Purses BasicCharge(EpsilonDelta query);

// What was spent, and what is left. Ensures: spent rounded up, left rounded down (0 if overdrawn).
EpsilonDelta BasicSpent(const Purses& spent);
EpsilonDelta BasicLeft(const Purses& caps, const Purses& spent);

}  // namespace dpsql
