#pragma once

#include <cstdint>

#include "noise/lazy_uniform.h"
#include "noise/word_stream.h"

// Karney's exact sampler of the normal distribution ("Sampling exactly from the normal
// distribution", 2016). Nothing is computed in floating point and nothing is approximated: a number
// is a sequence of digits of which only those that decide something are ever drawn.
namespace dpsql {

// The value is (integer + fraction), negated when `negative`.
struct ExactNormal {
  bool negative = false;
  std::uint32_t integer = 0;
  LazyUniform fraction;
};

// Draws one standard normal number into `normal`.
// Ensures: the order of the words is part of the contract, kept by a known-answer test: in a
// comparison p < q a missing digit of p is drawn before that of q; the sign comes last.
void DrawExactNormal(WordStream& words, ExactNormal& normal);

}  // namespace dpsql
