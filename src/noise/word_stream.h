#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random_source.h"

namespace dpsql {

// Hands out the words of a RandomSource one by one, in order, fetching them in blocks. Words are
// overwritten by the next block and at the end: they would reveal the noise that was drawn.
class WordStream {
 public:
  // Requires: `random` outlives the stream. `words_expected` only sizes the blocks.
  WordStream(RandomSource& random, std::size_t words_expected)
      : random_(random),
        block_(std::clamp(words_expected, kBlockMin, kBlockMax)),
        next_(block_),
        fetched_(0) {}
  ~WordStream() { Wipe(); }
  WordStream(const WordStream&) = delete;
  WordStream& operator=(const WordStream&) = delete;

  std::uint32_t Next() {
    if (next_ == block_) [[unlikely]]
      Refill();
    return words_[next_++];
  }

  // How many words were handed out so far.
  std::uint64_t taken() const { return fetched_ - (block_ - next_); }

 private:
  static constexpr std::size_t kBlockMin = 64;
  static constexpr std::size_t kBlockMax = 4096;

  void Refill();
  void Wipe();

  RandomSource& random_;
  std::size_t block_;
  std::size_t next_;
  std::uint64_t fetched_;
  std::array<std::uint32_t, kBlockMax> words_;
};

}  // namespace dpsql
