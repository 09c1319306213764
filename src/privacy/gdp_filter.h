#pragma once

#include <cstdint>

#include "base/int128.h"
#include "privacy/cost.h"

namespace dpsql {

// The owner's budget under the GDP filter with a delta_infinity cap.
struct GdpBudget {
  EpsilonDelta total;
  double threshold_share = 0.1;  // w: the share of delta kept for key selection
};

struct GdpState {
  UInt128 mu_squared = 0;
  UInt128 delta_infinity = 0;
};

// The part of delta that the Gaussian steps may use, rounded down so that both parts sum to delta.
double GaussianShare(const GdpBudget& budget);

// The caps of a budget: delta_infinity_B = w delta_B, mu_B = mu(epsilon_B, (1-w) delta_B).
// Requires: epsilon >= 0, 0 < delta < 1, 0 < w < 1. Ensures: both rounded down.
// Proof: admitting a query iff both sums stay within caps fixed in advance keeps a session of
// adaptively chosen queries (epsilon_B, delta_B)-DP; docs/proofs/gdp-filter.md.
GdpState GdpCaps(const GdpBudget& budget);

// Whether the cost fits. Ensures: no overflow; never true when either sum passes its cap.
bool GdpAdmits(const GdpState& caps, const GdpState& spent, const Cost& cost);

// How many more queries of this cost fit. Ensures: 0 where GdpAdmits is false; a cost of zero in a
// purse does not limit; capped at INT64_MAX.
std::int64_t GdpQueriesLeft(const GdpState& caps, const GdpState& spent, const Cost& cost);

// The epsilon that what is left of mu^2 is worth at (1-w) delta_B. Ensures: rounded down.
double GdpEpsilonLeft(const GdpBudget& budget, const GdpState& caps, const GdpState& spent);

// The epsilon that what is spent is worth at (1-w) delta_B. Ensures: rounded up.
double GdpEpsilonSpent(const GdpBudget& budget, const GdpState& spent);

}  // namespace dpsql
