#pragma once

#include "base/int128.h"
#include "privacy/bounding.h"
#include "privacy/gaussian.h"

// Which noise is the smaller for one question, Laplace or Gaussian. Everything here is public: it
// is known before any data is read. Pure functions; no state, no randomness.
namespace dpsql {

// E|N| of N = round(sigma Z). For display and for choosing: to 1e-9 relative where sigma >= 0.1, in
// no direction. Requires: sigma > 0 and finite.
double RoundedGaussianMeanAbsolute(double sigma);

// Vectors that share one (epsilon, delta) equally: each gets epsilon / vectors of pure noise, or
// 1 / vectors of mu^2.
struct MechanismQuestion {
  EpsilonDelta asked;
  Sensitivity sensitivity;  // of each vector, in grid steps
  int vectors = 1;
};

enum class Mechanism { kLaplace, kGaussian };

// Mean absolute errors of one coordinate, in grid steps; infinite where the mechanism is not
// available, which is the Gaussian one at delta 0.
struct MechanismChoice {
  Mechanism better = Mechanism::kLaplace;
  double laplace_error = 0;
  double gaussian_error = 0;
};

// Requires: epsilon > 0, 0 <= delta < 1, vectors >= 1, both sensitivities >= 1.
// Ensures: `better` has the smaller error; Laplace on a tie, because it needs no delta.
MechanismChoice ChooseMechanism(const MechanismQuestion& question);

}  // namespace dpsql
