#pragma once

#include <array>
#include <cstdint>

#include "base/check.h"
#include "noise/word_stream.h"

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

// Whether p < q, digit by digit. Requires: q is a LazyUniform, or has the digits of a fixed number
// in [0, 1) of which infinitely many are not 2^32 - 1.
// Ensures: the answer for the two real numbers, but for ties of probability 0. A missing digit of p
// is drawn before that of q; this order is part of the known answers.
template <typename Number>
bool Less(LazyUniform& p, Number& q, WordStream& words) {
  for (std::uint32_t i = 0;; ++i) {
    const std::uint32_t digit_p = p.Digit(i, words);
    const std::uint32_t digit_q = q.Digit(i, words);
    if (digit_p != digit_q) [[likely]]
      return digit_p < digit_q;
  }
}

}  // namespace dpsql
