#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>

namespace dpsql {

// What a seed decides. The engine is one whose numbers the standard fixes, so that a seed means the
// same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  // Requires: limit >= 1.
  std::size_t Below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  // True in `n` of 16 cases.
  bool In16(std::size_t n) { return Below(16) < n; }

  int Between(int low, int high) {
    return low + static_cast<int>(Below(static_cast<std::size_t>(high - low + 1)));
  }

  // Requires: `list` is not empty.
  template <typename List>
  const auto& Pick(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(Below(std::size(list))));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace dpsql
