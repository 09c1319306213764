#pragma once

#include <array>
#include <cstdint>

#include "base/check.h"
#include "noise/word_stream.h"

// Karney's exact sampler of the normal distribution ("Sampling exactly from the normal
// distribution", 2016). Nothing is computed in floating point and nothing is approximated: a number
// is a sequence of digits of which only those that decide something are ever drawn.
namespace dpsql {

// A uniform number in (0, 1) whose 32-bit digits are drawn when they are first looked at.
class LazyUniform {
 public:
  std::uint32_t Digit(std::uint32_t index, WordStream& words) {
    while (drawn_ <= index) [[unlikely]] {
        // All the digits below are equal with a probability below 2^-480.
        Check(drawn_ < digits_.size(), "sixteen random digits decide a comparison");
        digits_[drawn_++] = words.Next();
      }
    return digits_[index];
  }

  void Forget() { drawn_ = 0; }

 private:
  std::uint32_t drawn_ = 0;
  std::array<std::uint32_t, 16> digits_;
};

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
