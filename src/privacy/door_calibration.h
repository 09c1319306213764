#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privacy/fixed_point.h"
#include "privacy/gaussian.h"

// The joint calibration of one door: the count that selects keys and the statistic vectors share
// one (epsilon, delta).
namespace dpsql {

// Key selection beside a mu_statistics-GDP vector. The small probability is the one stored: its
// complement rounds to 1 where delta_infinity is below 1e-16.
struct JointDeltaInput {
  double epsilon = 0;
  std::int64_t cells = 1;    // C0 * J
  double sigma_count = 1;    // of the count, in units
  double shown = 0;          // q: probability that a cell of exactly k units shows itself
  double mu_statistics = 0;  // of all statistic vectors together
};

// The exact joint delta: with p = 1 - q and m^2 = (cells - a) / sigma_count^2 + mu_statistics^2,
// the maximum over a = 0..cells of
//   1 - p^a + p^a delta_G(epsilon - a ln p; m)   and   delta_G(epsilon + a ln p; m).
// Requires: cells >= 1, sigma_count > 0, 0 <= shown <= 1. Ensures: not below the exact value, and
// above it by 1e-9 relative at most. Proof: docs/proofs/double-threshold.md.
double JointDelta(const JointDeltaInput& input);

// What one key selection may leak, as a share of the whole budget's delta: ten thousand of them
// fit in the tenth of delta that the filter keeps for this, at the price of a slightly higher tau.
inline constexpr double kDeltaInfinityShare = 1e-5;

struct DoorTarget {
  EpsilonDelta asked;
  bool selects_keys = false;
  std::int64_t cells = 1;     // C0 * J, when selects_keys
  double delta_infinity = 0;  // when selects_keys: the most that key selection may leak
  std::int64_t min_frequency = 1;
  int statistics = 1;  // statistic vectors that share mu^2; may be 0
  // One for each statistic vector, or none: its share of mu^2 is in proportion. Nothing else about
  // the door depends on them.
  std::vector<double> weights = {};
};

// Continuous results; the planner rounds sigmas up to the grid and charges what it rounds to.
struct DoorCalibration {
  double mu_statistic = 0;  // of each statistic vector with equal weights; 0 when there is none
  std::vector<double> mu_statistics;  // of each, by weight
  GridSigma sigma_count;  // of the unit count (grid 1); numerator 0 when keys are not selected
  std::int64_t tau = 0;
  double delta_infinity = 0;  // achieved, rounded up
};

// Splits mu^2 in proportion to the weights. A weight counts as at least 1/20 of an equal share, so
// that a hint cannot starve a statistic; without weights the shares are equal. Requires: mu >= 0;
// no weight, or one for each of `statistics` >= 1, positive and finite. Ensures: the squares sum to
// mu^2 at most, rounded down, by 1e-12 relative at most. Proof: independent Gaussian vectors
// compose to the root of the sum of their squares, and JointDelta knows of the statistics nothing
// but that; so the split is free.
std::vector<double> ShareMu(double mu, int statistics, std::span<const double> weights);

// The least noise that keeps the door (epsilon, delta)-DP. The count takes 1/(statistics+1) of
// mu^2. Requires: asked.epsilon > 0, 0 < asked.delta < 1; when selects_keys 0 < delta_infinity <
// delta, and noise below 2^59 units. Ensures: JointDelta at the rounded sigma_count, its tau and
// the mu of all statistics <= delta. Proof: docs/proofs/double-threshold.md.
DoorCalibration CalibrateDoor(const DoorTarget& target);

}  // namespace dpsql
