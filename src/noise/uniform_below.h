#pragma once

#include <cstdint>

#include "noise/word_stream.h"

namespace dpsql {

// A uniform integer below `count`, by rejection of the incomplete last round.
// Requires: 0 < count < 2^32. Ensures: exact; one word an attempt.
inline std::uint32_t UniformBelow32(std::uint32_t count, WordStream& words) {
  const std::uint64_t accepted = (std::uint64_t{1} << 32) / count * count;
  while (true) {
    const std::uint32_t word = words.Next();
    if (word < accepted) return word % count;
  }
}

// The same for every positive count. Ensures: exact; no word for count = 1, else one word an
// attempt below 2^32, two above, the high one first.
inline std::uint64_t UniformBelow64(std::uint64_t count, WordStream& words) {
  if (count == 1) return 0;
  if (count >> 32 == 0) return UniformBelow32(static_cast<std::uint32_t>(count), words);
  const std::uint64_t incomplete = (0 - count) % count;  // 2^64 mod count
  while (true) {
    const std::uint64_t high = words.Next();
    const std::uint64_t word = (high << 32) | words.Next();
    if (word <= ~std::uint64_t{0} - incomplete) return word % count;
  }
}

}  // namespace dpsql
