#pragma once

#include <cstdint>

#include "noise/lazy_uniform.h"
#include "noise/word_stream.h"

namespace dpsql {

// The value is (integer + fraction).
struct ExactExponential {
  std::uint32_t integer = 0;
  LazyUniform fraction;
};

// Draws one standard exponential number into `exponential`: von Neumann's falling runs, on digits
// drawn when they are first looked at. Integers only, nothing approximated.
// Ensures: P(value > t) = e^(-t) exactly; integer <= 4096; 4.3 words on average. The order of the
// words is part of the contract: of two missing digits that of the newer number is drawn first.
// Proof: docs/proofs/discrete-laplace.md.
void DrawExactExponential(WordStream& words, ExactExponential& exponential);

}  // namespace dpsql
