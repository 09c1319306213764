#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dpsql {

// Bytes read as a stream of choices, so that whoever makes the bytes (a seed, a fuzzer) decides.
// Where they end every choice is the first one; what is generated must end with first choices.
class Choices {
 public:
  // Requires: the bytes outlive this.
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // Requires: 1 <= limit <= 256.
  std::size_t Below(std::size_t limit) {
    if (limit < 2 || bytes_.empty()) return 0;
    const std::size_t choice = bytes_.front() % limit;
    bytes_ = bytes_.subspan(1);
    return choice;
  }

  // True in `n` of 16 cases, and false where the bytes have ended.
  bool In16(std::size_t n) { return Below(16) + n >= 16; }

  // Whether the bytes have ended.
  bool empty() const { return bytes_.empty(); }

  // Requires: `list` is not empty.
  template <typename List>
  const auto& Pick(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(Below(std::size(list))));
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace dpsql
