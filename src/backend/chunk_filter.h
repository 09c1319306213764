#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/cell_layout.h"

namespace dpsql {

// Some rows of a chunk, side by side as if the others had never been there.
class ChunkFilter {
 public:
  explicit ChunkFilter(std::span<const ColumnType> types);

  // The rows whose byte of `present` is not 0; valid until the next call.
  std::span<const ColumnData> Keep(std::span<const ColumnData> columns,
                                   std::span<const std::uint8_t> present);

 private:
  struct Kept {
    std::size_t width = 0;  // of a value, in bytes
    std::vector<char> data;
    std::vector<std::uint64_t> validity;
  };

  static void KeepColumn(const ColumnData& column, std::span<const std::uint8_t> present,
                         Kept& kept);

  std::vector<Kept> kept_;
  std::vector<ColumnData> columns_;
};

}  // namespace dpsql
