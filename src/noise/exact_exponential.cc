#include "noise/exact_exponential.h"

#include <utility>

#include "base/check.h"

namespace dpsql {
namespace {

// True with probability e^(-x): a run x > z1 > z2 > ... that breaks at an even place. The first
// number is x itself, not a copy: digits drawn here are digits of the result.
bool RunIsEven(LazyUniform& x, WordStream& words) {
  LazyUniform first;
  LazyUniform second;
  if (!Less(first, x, words)) return true;
  LazyUniform* last = &first;
  LazyUniform* next = &second;
  bool even = false;
  while (true) {
    next->Forget();
    if (!Less(*next, *last, words)) return even;
    even = !even;
    std::swap(last, next);
  }
}

}  // namespace

void DrawExactExponential(WordStream& words, ExactExponential& exponential) {
  // Reached with probability e^-4096, below that of sixteen equal digits. It bounds the products of
  // those who scale the number.
  constexpr std::uint32_t kIntegerMax = 4096;
  exponential.fraction.Forget();
  for (exponential.integer = 0; !RunIsEven(exponential.fraction, words); ++exponential.integer) {
    Check(exponential.integer < kIntegerMax, "an exponential number is below 4097");
    exponential.fraction.Forget();
  }
}

}  // namespace dpsql
