#pragma once

#include <cstdint>
#include <utility>

#include "noise/lazy_uniform.h"
#include "noise/uniform_below.h"
#include "noise/word_stream.h"

// The two exact coins of Karney's samplers ("Sampling exactly from the normal distribution", 2016):
// an integer k with weight e^(-k^2/2), and the acceptance of a fraction x with probability
// e^(-x (2k + x) / 2). Together k + x has weight e^(-(k + x)^2 / 2), be x uniform on (0, 1), as for
// the normal law, or a multiple of 1/sigma, as for the discrete one. Integers only.
// Proof: docs/proofs/rounded-gaussian.md.
namespace dpsql {

// True with probability e^(-1/2): von Neumann's count of a falling run that starts below 1/2.
inline bool HalfExponential(WordStream& words) {
  LazyUniform a;
  LazyUniform b;
  if (a.Digit(0, words) >= 0x80000000u) return true;
  while (true) {
    b.Forget();
    if (!Less(b, a, words)) return false;
    a.Forget();
    if (!Less(a, b, words)) return true;
  }
}

// Draws k with probability proportional to e^(-k/2); false when the weight e^(-k(k-1)/2) rejects.
inline bool DrawInteger(WordStream& words, std::uint32_t& k) {
  k = 0;
  while (HalfExponential(words)) ++k;
  const std::uint64_t tests = std::uint64_t{k} * k - k;
  for (std::uint64_t i = 0; i < tests; ++i) {
    if (!HalfExponential(words)) return false;
  }
  return true;
}

// True with probability (2k + x) / (2k + 2).
template <typename Fraction>
bool Choice(std::uint32_t k, Fraction& x, WordStream& words) {
  // A power of two needs no division; k = 0 is by far the most frequent.
  const std::uint32_t which = k == 0 ? words.Next() & 1 : UniformBelow32(2 * k + 2, words);
  if (which < 2 * k) return true;
  if (which > 2 * k) return false;
  LazyUniform fresh;
  return Less(fresh, x, words);
}

// True with probability exp(-x (2k + x) / (2k + 2)). The first number of the falling run is x
// itself, not a copy: digits drawn here are digits of the result.
template <typename Fraction>
bool FractionExponential(std::uint32_t k, Fraction& x, WordStream& words) {
  LazyUniform first;
  LazyUniform second;
  if (!Less(first, x, words) || !Choice(k, x, words)) return true;
  LazyUniform* last = &first;
  LazyUniform* next = &second;
  bool even = false;
  while (true) {
    next->Forget();
    if (!Less(*next, *last, words) || !Choice(k, x, words)) return even;
    even = !even;
    std::swap(last, next);
  }
}

// True with probability exp(-x (2k + x) / 2).
template <typename Fraction>
bool AcceptFraction(std::uint32_t k, Fraction& x, WordStream& words) {
  for (std::uint32_t i = 0; i <= k; ++i) {
    if (!FractionExponential(k, x, words)) return false;
  }
  return true;
}

}  // namespace dpsql
