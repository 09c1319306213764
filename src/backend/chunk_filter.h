#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/cell_layout.h"

namespace dpsql {

// Leaves some rows of a chunk, side by side as if the others had never been there.
class ChunkFilter {
 public:
  explicit ChunkFilter(std::span<const ColumnType> types);

  // The columns with the rows named, in this order; valid until the next call.
  void Keep(std::span<const std::uint32_t> rows, std::span<ColumnData> columns);

 private:
  struct Kept {
    std::size_t width = 0;  // of a value, in bytes
    std::vector<char> data;
    std::vector<std::uint64_t> validity;
  };

  static void KeepData(const ColumnData& column, std::span<const std::uint32_t> rows, Kept& kept);
  static void KeepValidity(const ColumnData& column, std::span<const std::uint32_t> rows,
                           Kept& kept);

  std::vector<Kept> kept_;  // per column
};

}  // namespace dpsql
