#include "noise/bernoulli.h"

#include <cstdint>

#include "base/check.h"

namespace dpsql {

bool BernoulliBelow(UInt128 threshold, unsigned bits, WordStream& words) {
  Check(bits <= 127, "a fixed-point probability has at most 127 bits");
  const UInt128 one = UInt128{1} << bits;
  Check(threshold <= one, "a probability is at most 1");
  // In units of 2^-128 a probability below 1 is four digits of 32 bits; 1 itself would be 2^128.
  UInt128 digits = threshold << (128 - bits - 1) << 1;
  do {
    const std::uint32_t word = words.Next();
    if (threshold == one) return true;
    const auto digit = static_cast<std::uint32_t>(digits >> 96);
    if (word != digit) return word < digit;
    digits <<= 32;
  } while (digits != 0);
  return false;  // the uniform number is the threshold or above it
}

std::vector<bool> Bernoulli::Draw(std::span<const UInt128> thresholds, unsigned bits) {
  WordStream words(random_, thresholds.size() + 1);
  std::vector<bool> drawn;
  drawn.reserve(thresholds.size());
  for (const UInt128 threshold : thresholds) {
    drawn.push_back(BernoulliBelow(threshold, bits, words));
  }
  return drawn;
}

}  // namespace dpsql
