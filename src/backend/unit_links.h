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
// unit with one look, where a join would build and probe a hash table. Where each key is the unit
// itself a bit for each key is enough, and stays near the processor.
class UnitLinks {
 public:
  // Nothing where the keys or the units lie too far apart. Of two rows with one key either counts.
  // Throws CellLimitReached where memory ends.
  static std::optional<UnitLinks> Make(std::span<const std::unique_ptr<LinkPairs>> pairs,
                                       CellMemory& memory);

  // Of n keys of this payload, an integer: which rows lead to a unit, in order, and to which.
  // Returns how many do; a key that is NULL does not. Requires: room for n in both.
  std::size_t Find(const ColumnData& keys, Payload payload, std::size_t n, std::uint32_t* rows,
                   std::int64_t* units) const;

  std::size_t bytes() const { return words_.words() * sizeof(std::uint64_t); }

 private:
  explicit UnitLinks(CellMemory& memory) : words_(memory) {}
  void SetBits(const LinkPairs& pairs);
  void SetPlaces(const LinkPairs& pairs);
  template <typename T>
  std::size_t FindBits(const T* keys, std::size_t n, std::uint32_t* rows,
                       std::int64_t* units) const;
  template <typename T>
  std::size_t FindPlaces(const T* keys, std::size_t n, std::uint32_t* rows,
                         std::int64_t* units) const;

  bool own_ = false;  // each key is the unit
  std::uint64_t first_key_ = 0;
  std::uint64_t keys_ = 0;
  std::uint64_t before_units_ = 0;  // the first unit less one
  ZeroedWords words_;  // 64 bits, or two places of 32 bits: the unit less the above, or 0
};

}  // namespace dpsql
