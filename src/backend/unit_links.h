#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "backend/cell_layout.h"
#include "backend/cell_memory.h"

namespace dpsql {

// What one thread has seen of a parent table: the key of a row, and whose the row is.
struct LinkPairs {
  explicit LinkPairs(CellMemory& memory)
      : keys(CellAllocator<std::int64_t>(memory)), units(CellAllocator<std::int64_t>(memory)) {}

  CellVector<std::int64_t> keys;
  CellVector<std::int64_t> units;
};

// From a parent's key to the unit, both numbers, as an array over the keys: a child's row finds its
// unit with one look, where a join would build and probe a hash table.
class UnitLinks {
 public:
  // Nothing where the keys or the units lie too far apart. Of two rows with one key either counts.
  // Throws CellLimitReached where memory ends.
  static std::optional<UnitLinks> Make(std::span<const std::unique_ptr<LinkPairs>> pairs,
                                       CellMemory& memory);

  // The units of n keys of this payload, an integer; `present` is 0 and the unit of no meaning
  // where a key is NULL or leads to no unit. Returns how many lead to one.
  std::size_t Find(const ColumnData& keys, Payload payload, std::size_t n, std::int64_t* units,
                   std::uint8_t* present) const;

  std::size_t bytes() const { return units_.words() * sizeof(std::uint64_t); }

 private:
  explicit UnitLinks(CellMemory& memory) : units_(memory) {}
  template <typename T>
  std::size_t FindAll(const T* keys, std::size_t n, std::int64_t* units,
                      std::uint8_t* present) const;

  std::uint64_t first_key_ = 0;
  std::uint64_t keys_ = 0;
  std::uint64_t before_units_ = 0;  // the first unit less one
  ZeroedWords units_;  // two places of 32 bits in a word: the unit less the above, or 0
};

}  // namespace dpsql
