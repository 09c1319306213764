#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/random_source.h"

namespace dpsql {

// Numbers that are the same in each run: an input of a fuzzer is one ledger.
class CountingRandom : public RandomSource {
 public:
  void Fill(std::span<std::uint32_t> words) override {
    for (std::uint32_t& word : words) word = next_++;
  }

 private:
  std::atomic<std::uint32_t> next_{1};
};

}  // namespace dpsql
