#pragma once

#include <span>

#include "base/int128.h"
#include "base/random_source.h"
#include "noise/word_stream.h"
#include "privacy/laplace.h"

namespace dpsql {

// Draws an integer x with probability proportional to exp(-|x| numerator / denominator).
// Requires: both parts of `rate` are positive.
// Ensures: exact; there is no floating point, no cut tail and no table. The magnitude is the
// integer part of an exact exponential number times the scale, so a draw takes five to eight words
// for every scale above 1. Equal rates draw the same from the same words, in lowest terms or not.
// Proof: docs/proofs/discrete-laplace.md.
Int128 DrawDiscreteLaplace(LaplaceRate rate, WordStream& words);

// The same in a batch.
class DiscreteLaplace {
 public:
  explicit DiscreteLaplace(RandomSource& random) : random_(random) {}

  // Fills `out` with independent draws. Requires: both parts of `rate` are positive.
  void Draw(LaplaceRate rate, std::span<Int128> out);

 private:
  RandomSource& random_;
};

}  // namespace dpsql
