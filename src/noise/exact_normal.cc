#include "noise/exact_normal.h"

#include <utility>

namespace dpsql {
namespace {

bool Less(LazyUniform& p, LazyUniform& q, WordStream& words) {
  for (std::uint32_t i = 0;; ++i) {
    const std::uint32_t digit_p = p.Digit(i, words);
    const std::uint32_t digit_q = q.Digit(i, words);
    if (digit_p != digit_q) [[likely]]
      return digit_p < digit_q;
  }
}

// True with probability e^(-1/2): von Neumann's count of a falling run that starts below 1/2.
bool HalfExponential(WordStream& words) {
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

// A uniform integer below `count`, by rejection. Requires: 0 < count < 2^32.
std::uint32_t UniformBelow(std::uint32_t count, WordStream& words) {
  const std::uint64_t accepted = (std::uint64_t{1} << 32) / count * count;
  while (true) {
    const std::uint32_t word = words.Next();
    if (word < accepted) return word % count;
  }
}

// True with probability (2k + x) / (2k + 2).
bool Choice(std::uint32_t k, LazyUniform& x, WordStream& words) {
  // A power of two needs no division; k = 0 is by far the most frequent.
  const std::uint32_t which = k == 0 ? words.Next() & 1 : UniformBelow(2 * k + 2, words);
  if (which < 2 * k) return true;
  if (which > 2 * k) return false;
  LazyUniform fresh;
  return Less(fresh, x, words);
}

// True with probability exp(-x (2k + x) / (2k + 2)). The first number of the falling run is x
// itself, not a copy: digits drawn here are digits of the result.
bool FractionExponential(std::uint32_t k, LazyUniform& x, WordStream& words) {
  LazyUniform first;
  LazyUniform second;
  LazyUniform* last = &x;
  LazyUniform* next = &first;
  LazyUniform* spare = &second;
  bool even = true;
  while (true) {
    next->Forget();
    if (!Less(*next, *last, words) || !Choice(k, x, words)) return even;
    even = !even;
    last = next;
    std::swap(next, spare);
  }
}

// Draws k with probability proportional to e^(-k/2); false when the weight e^(-k(k-1)/2) rejects.
bool DrawInteger(WordStream& words, std::uint32_t& k) {
  k = 0;
  while (HalfExponential(words)) ++k;
  const std::uint64_t tests = std::uint64_t{k} * k - k;
  for (std::uint64_t i = 0; i < tests; ++i) {
    if (!HalfExponential(words)) return false;
  }
  return true;
}

bool AcceptFraction(WordStream& words, ExactNormal& normal) {
  for (std::uint32_t i = 0; i <= normal.integer; ++i) {
    if (!FractionExponential(normal.integer, normal.fraction, words)) return false;
  }
  return true;
}

}  // namespace

void DrawExactNormal(WordStream& words, ExactNormal& normal) {
  do {
    normal.fraction.Forget();
  } while (!DrawInteger(words, normal.integer) || !AcceptFraction(words, normal));
  normal.negative = (words.Next() & 1) != 0;
}

}  // namespace dpsql
