#pragma once

#include <cstdint>
#include <vector>

#include "base/int128.h"
#include "privacy/gaussian.h"

// Key selection for a few cells per unit (Desfontaines, Voss, Gipson & Mandayam 2022): a cell of n
// units is kept with probability pi_n, independently of all others, and never below k units. No
// mechanism that keeps or drops a cell with this (epsilon, delta) and this k keeps more of any
// size. It releases no noisy count. Proof: docs/proofs/truncated-geometric.md.
namespace dpsql {

inline constexpr int kKeepBits = 120;  // keep probabilities in units of 2^-120

// The share of each of the `cells` cells that one unit can count in: cells epsilon0 <= epsilon and
// 1 - (1 - delta0)^cells <= delta.
// Requires: epsilon >= 0 and finite, 1e-300 <= delta < 1, 1 <= cells <= 2^53. Ensures: both rounded
// down, delta0 by 2^-40 relative at most (more where delta0 is below 1e-300).
EpsilonDelta CellShare(EpsilonDelta asked, std::int64_t cells);

// Whether a door should select its keys this way: at most two cells per unit, where it beats the
// Gaussian threshold, and a share within the Requires of TruncatedGeometric.
bool PrefersTruncatedGeometric(EpsilonDelta asked, std::int64_t cells);

// The table of keep probabilities: pi_n = 0 for n < k, and from k on
//   pi_n = min(e^epsilon0 pi_{n-1} + delta0, 1 - e^-epsilon0 (1 - pi_{n-1} - delta0), 1).
class TruncatedGeometric {
 public:
  // Requires: 2^-12 <= epsilon0 and finite, 2^-120 <= delta0 < 1, min_frequency >= 1.
  // Ensures: every step is rounded down, so that the table as it stands is (epsilon0, delta0)-DP
  // between n and n+1 for every n; it rises; it ends at exactly 1.
  TruncatedGeometric(EpsilonDelta per_cell, std::int64_t min_frequency);

  // pi of a cell of `units` units, in units of 2^-120; 2^120 is certainty.
  UInt128 Keep(std::int64_t units) const;

  // The least number of units that is kept for certain.
  std::int64_t certain_from() const;

 private:
  std::int64_t min_frequency_;
  std::vector<UInt128> keep_;  // from k units on
};

}  // namespace dpsql
