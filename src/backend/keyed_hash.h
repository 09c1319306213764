#pragma once

#include <cstdint>
#include <string_view>

#include "base/int128.h"

// Hashes of the tables that rows fill. They are keyed with a secret of the process: whoever knows a
// hash can write an expression whose values all fall into one place, and the running time would
// tell, by its square, how many rows of one person it met. Nothing that is answered depends on
// them.
namespace dpsql {

struct HashSecret {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

// Drawn from the system's randomness when the program starts.
extern const HashSecret kHashSecret;

// Its upper bits depend on all bits: both halves of a product in which the secret stands on both
// sides, so that which values meet is not known without it.
inline std::uint64_t KeyedHash(std::uint64_t low, std::uint64_t high = 0) {
  const auto product = static_cast<UInt128>(low ^ kHashSecret.a) *
                       static_cast<UInt128>((high ^ kHashSecret.b) + 0x9e3779b97f4a7c15);
  const std::uint64_t folded =
      static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  const auto again =
      static_cast<UInt128>(folded ^ kHashSecret.b) * static_cast<UInt128>(kHashSecret.a | 1);
  return static_cast<std::uint64_t>(again) ^ static_cast<std::uint64_t>(again >> 64);
}

std::uint64_t KeyedHash(std::string_view text);

// For the library's tables of texts.
struct KeyedTextHash {
  std::size_t operator()(std::string_view text) const { return KeyedHash(text); }
};

}  // namespace dpsql
