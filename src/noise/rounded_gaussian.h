#pragma once

#include <span>

#include "base/int128.h"
#include "base/random_source.h"
#include "privacy/fixed_point.h"

namespace dpsql {

// Draws round-half-up(sigma Z), Z standard normal, exactly: Karney's algorithm in integers only.
// Rounding an exact Gaussian is post-processing, so the result has exactly the privacy of the
// continuous mechanism. Proof: docs/proofs/rounded-gaussian.md.
class RoundedGaussian {
 public:
  explicit RoundedGaussian(RandomSource& random) : random_(random) {}

  // Fills `out` with independent draws. Requires: 0 < sigma.numerator < 2^60.
  void Draw(GridSigma sigma, std::span<Int128> out);

 private:
  RandomSource& random_;
};

}  // namespace dpsql
