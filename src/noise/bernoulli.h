#pragma once

#include <span>
#include <vector>

#include "base/int128.h"
#include "base/random_source.h"
#include "noise/word_stream.h"

namespace dpsql {

// True with probability threshold / 2^bits, exactly: a uniform number is compared with it digit by
// digit. Requires: bits <= 127 and threshold <= 2^bits, so that 0 and 1 are probabilities too.
// Ensures: one word is taken whatever the threshold, also for 0 and 1, and a second with
// probability 2^-32 at most: the time of a coin does not follow its probability.
bool BernoulliBelow(UInt128 threshold, unsigned bits, WordStream& words);

// Independent coins in a batch.
class Bernoulli {
 public:
  explicit Bernoulli(RandomSource& random) : random_(random) {}

  // One coin for each threshold, as BernoulliBelow draws it. With bits = kKeepBits these are the
  // keep probabilities of TruncatedGeometric.
  std::vector<bool> Draw(std::span<const UInt128> thresholds, unsigned bits);

 private:
  RandomSource& random_;
};

}  // namespace dpsql
