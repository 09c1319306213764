#pragma once

// The exact privacy of the Gaussian mechanism (Balle & Wang 2018; Dong, Roth & Su 2019), in forms
// that stay accurate down to delta = 1e-300. Pure functions; no state, no randomness.
namespace dpsql {

struct EpsilonDelta {
  double epsilon = 0;
  double delta = 0;
};

// More than the error of LogGaussianDelta wherever delta >= 1e-300 (measured: below 2e-12). The
// calibrations aim below delta by twice this factor, so that rounding never favours the analyst.
inline constexpr double kLogDeltaError = 0x1p-37;

// ln of delta_G(epsilon; mu) = Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2).
// Requires: mu >= 0, both finite; any real epsilon. Ensures: -infinity where delta is 0.
double LogGaussianDelta(double epsilon, double mu);
double GaussianDelta(double epsilon, double mu);

// The largest mu for which the Gaussian mechanism is (epsilon, delta)-DP.
// Requires: epsilon >= 0, 0 < delta < 1. Ensures: rounded down.
double GaussianMu(EpsilonDelta target);

// The smallest epsilon >= 0 for which a mu-GDP mechanism is (epsilon, delta)-DP.
// Requires: mu >= 0, 0 < delta < 1. Ensures: rounded up.
double GaussianEpsilon(double delta, double mu);

}  // namespace dpsql
