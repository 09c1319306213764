#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/random_source.h"
#include "support/chacha_random_source.h"

namespace dpsql {

// Gives the words it was told, then those of ChaCha20: for events too rare to wait for.
class ScriptedRandomSource final : public RandomSource {
 public:
  explicit ScriptedRandomSource(std::vector<std::uint32_t> script)
      : script_(std::move(script)), rest_(0) {}

  void Fill(std::span<std::uint32_t> words) override {
    const std::size_t told = std::min(script_.size() - next_, words.size());
    std::copy_n(script_.begin() + static_cast<std::ptrdiff_t>(next_), told, words.begin());
    next_ += told;
    rest_.Fill(words.subspan(told));
  }

 private:
  std::vector<std::uint32_t> script_;
  std::size_t next_ = 0;
  ChaChaRandomSource rest_;
};

}  // namespace dpsql
