#pragma once

#include "base/int128.h"
#include "privacy/gaussian.h"

// What releases that are not Gaussian take from a purse of mu^2 or of rho. Pure functions; no
// state, no randomness. Proof: docs/proofs/conversions.md.
namespace dpsql {

// The least mu for which every epsilon-DP release is mu-GDP: 2 z(1 / (1 + e^epsilon)), about 1.2533
// epsilon. Randomised response attains it, and so does the discrete Laplace mechanism at a
// sensitivity of one step. Requires: 0 <= epsilon <= 1e290. Ensures: rounded up, by 1e-12 relative
// at most where epsilon >= 2^-1000.
double PureDpMu(double epsilon);

// The same for an epsilon-bounded-range release (the exponential mechanism): the losses of a pair
// of neighbours lie in some [t - epsilon, t]. It is PureDpMu(epsilon / 2). Same terms.
double BoundedRangeMu(double epsilon);

// The same for continuous Laplace noise on one number: 2 z(e^(-epsilon/2) / 2), smaller than that
// of pure DP by 2.4 % at epsilon = 0.1 and by 30 % at 5. Not for discrete or for vector noise. Same
// terms.
double ContinuousLaplaceMu(double epsilon);

struct MuCharge {
  UInt128 mu_squared = 0;      // units of 2^-96
  UInt128 delta_infinity = 0;  // units of 2^-120
};

struct RhoCharge {
  UInt128 rho = 0;             // units of 2^-96
  UInt128 delta_infinity = 0;  // units of 2^-120
};

// What an (epsilon, delta)-DP black box takes; pure DP is delta = 0, and discrete Laplace noise is
// pure DP. Requires: 0 <= epsilon <= 1e290, 0 <= delta < 1.
// Ensures: rounded up; saturates. rho = epsilon^2 / 2 is exact in integers.
MuCharge GdpChargeOfBlackBox(EpsilonDelta release);
RhoCharge ZcdpChargeOfBlackBox(EpsilonDelta release);

// What an epsilon-bounded-range release takes. Requires: 0 <= epsilon <= 1e290.
// Ensures: rounded up; saturates. rho = epsilon^2 / 8 is exact in integers.
MuCharge GdpChargeOfBoundedRange(double epsilon);
RhoCharge ZcdpChargeOfBoundedRange(double epsilon);

}  // namespace dpsql
