#pragma once

#include "privacy/budget.h"
#include "privacy/purses.h"

// The GDP filter with a cap on delta_infinity and, beside it, a purse of pure epsilon.
namespace dpsql {

// The part of delta that the Gaussian steps may use, rounded down so that both parts sum to delta.
// Requires: 0 < w < 1.
double GaussianShare(const Budget& budget);

// The part of delta that key selection may use. Requires: 0 < w < 1. Ensures: rounded down.
double ThresholdShare(const Budget& budget);

// The caps of a budget: epsilon_P as the owner says, delta_infinity_B = w delta_B, and
// mu_B = mu(epsilon_B - epsilon_P, (1-w) delta_B).
// Requires: 0 <= epsilon_P <= epsilon_B, 0 < delta < 1, 0 < w < 1. Ensures: all rounded down.
// Proof: admitting a query iff all sums stay within caps fixed in advance keeps a session of
// adaptively chosen queries (epsilon_B, delta_B)-DP; docs/proofs/gdp-filter.md.
Purses GdpCaps(const Budget& budget);

// The epsilon that what is left of mu^2 is worth at (1-w) delta_B. Ensures: rounded down.
double GdpEpsilonLeft(const Budget& budget, const Purses& caps, const Purses& spent);

// The epsilon that the spent mu^2 is worth at (1-w) delta_B, and the pure epsilon on top.
// Ensures: rounded up.
double GdpEpsilonSpent(const Budget& budget, const Purses& spent);

}  // namespace dpsql
