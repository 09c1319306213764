#pragma once

#include <span>

#include "base/int128.h"
#include "base/random_source.h"
#include "noise/word_stream.h"
#include "privacy/fixed_point.h"

namespace dpsql {

// Draws an integer x with probability proportional to exp(-x^2 / (2 sigma^2)): the law of Canonne,
// Kamath and Steinke (2020), by Karney's faster algorithm. Its zCDP is that of the continuous
// Gaussian, but it is not mu-GDP; where mu^2 is charged RoundedGaussian is the noise to add.
// Requires: 0 < sigma.numerator < 2^60 and sigma.bits < 64. Ensures: exact, in integers only.
// Proof: docs/proofs/discrete-laplace.md.
Int128 DrawDiscreteGaussian(GridSigma sigma, WordStream& words);

// The same in a batch.
class DiscreteGaussian {
 public:
  explicit DiscreteGaussian(RandomSource& random) : random_(random) {}

  // Fills `out` with independent draws. Requires: sigma as above.
  void Draw(GridSigma sigma, std::span<Int128> out);

 private:
  RandomSource& random_;
};

}  // namespace dpsql
