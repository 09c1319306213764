#pragma once

#include <cstdint>

#include "privacy/fixed_point.h"

// Double thresholding: a cell is released iff its exact count of units is >= k and its noisy count
// is >= tau (the Gaussian sparse histogram mechanism of Wilkins et al. 2024).
namespace dpsql {

struct ThresholdTarget {
  GridSigma sigma;            // of the integer count's rounded Gaussian
  std::int64_t cells = 1;     // C0 * J: the most cells one unit can count in
  double delta_infinity = 0;  // the most probability that a cell at k shows itself
  std::int64_t min_frequency = 1;
};

// P(a cell of exactly k units shows itself) = P(round(sigma Z) >= tau - k) = Q((tau-k-1/2)/sigma).
// Requires: sigma.numerator > 0. Ensures: to the nearest, within 2^-36 relative where it does not
// underflow; in no direction.
double ShownProbability(GridSigma sigma, std::int64_t tau_above_k);

// The share of one cell: the q with 1 - (1 - q)^cells = delta_infinity.
// Requires: cells >= 1, 0 < delta_infinity < 1. Ensures: to the nearest, within 2^-48 relative; in
// no direction.
double CellLeak(double delta_infinity, std::int64_t cells);

// A count with continuous noise c + sigma Z, which no release of ours has: for comparison with
// others.
struct ContinuousThreshold {
  double sigma = 1;
  std::int64_t cells = 1;
};

// Its tau - k. Requires: sigma > 0 and finite, cells >= 1, 1e-300 cells <= delta_infinity < 1.
// Ensures: rounded up, so that ContinuousDeltaInfinity of it is <= delta_infinity; above the least
// such number by 1e-9 relative to sigma and to it, at most (where delta_infinity <= 0.9).
double TauAboveK(ContinuousThreshold threshold, double delta_infinity);

// Its inverse: 1 - (1 - Q(tau_above_k / sigma))^cells. Ensures: rounded up.
double ContinuousDeltaInfinity(ContinuousThreshold threshold, double tau_above_k);

// The integer tau. Requires: sigma > 0, cells >= 1, 1e-300 cells <= delta_infinity < 1, and a tau
// that fits 62 bits.
// Ensures: rounded up, so that AchievedDeltaInfinity(tau) <= delta_infinity.
std::int64_t NoisyThreshold(const ThresholdTarget& target);

// 1 - p^cells with p = P(a cell of exactly k units stays hidden). Ensures: rounded up.
double AchievedDeltaInfinity(const ThresholdTarget& target, std::int64_t tau);

}  // namespace dpsql
