#pragma once

#include <cstdint>

#include "base/int128.h"

// The discrete Laplace mechanism on integer vectors: noise x with probability proportional to
// exp(-|x| n/d) on every coordinate. A unit that moves the vector by at most B grid steps in the L1
// norm makes it exactly (B n/d)-DP, with no delta. Proof: docs/proofs/laplace.md.
namespace dpsql {

// How fast the law falls from one grid step to the next: by e^(-numerator / denominator). The scale
// of the noise, in grid steps, is denominator / numerator.
struct LaplaceRate {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 0;

  // The nearest double, within two units in the last place.
  double value() const;
};

// The rate at which a vector of L1 sensitivity `l1` is epsilon-DP.
// Requires: epsilon > 0 and finite, l1 >= 1, l1 / epsilon <= 2^62.
// Ensures: rounded down in exact integers, so that l1 n/d <= epsilon; both parts are in 1..2^62; l1
// n/d is within 2^-39 relative of epsilon wherever epsilon / l1 <= 2^22, noise that can be seen.
LaplaceRate RoundRateDown(double epsilon, UInt128 l1);

// The charge l1 n/d of the rate really sampled, in units of 2^-96.
// Requires: both parts of the rate are positive. Ensures: exact integers, rounded up; saturates.
UInt128 EpsilonCharge(UInt128 l1, LaplaceRate rate);

// E|X| = 1 / sinh(r) and Var X = 1 / (2 sinh(r/2)^2) of the rate r. For display and for choosing,
// not for charging: to 1e-12 relative wherever r <= 600, in no direction.
double LaplaceMeanAbsolute(LaplaceRate rate);
double LaplaceVariance(LaplaceRate rate);

// The least t with P(|X| <= t) >= level, where P(|X| > t) = 2 e^(-r (t+1)) / (1 + e^-r).
// Requires: 0 < level < 1. Ensures: rounded up, so that the probability is not below the level; not
// above the least such t by more than one step and 2^-48 of it.
Int128 LaplaceHalfWidth(LaplaceRate rate, double level);

}  // namespace dpsql
