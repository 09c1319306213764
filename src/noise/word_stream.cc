#include "noise/word_stream.h"

namespace dpsql {

void WordStream::Refill() {
  random_.Fill(std::span(words_).first(block_));
  fetched_ += block_;
  next_ = 0;
}

void WordStream::Wipe() {
  // Volatile, because an optimiser may drop plain stores to memory that is never read again.
  volatile std::uint32_t* words = words_.data();
  for (std::size_t i = 0; i < block_; ++i) words[i] = 0;
}

}  // namespace dpsql
