#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/cell_layout.h"

namespace dpsql {

// What each row of a chunk adds to its cell: per class 0 or 1, per sum an integer.
class RowTerms {
 public:
  // Requires: both outlive it.
  RowTerms(const CellLayout& layout, std::span<const ColumnType> types);

  void Read(std::span<const ColumnData> columns, std::size_t n);

  // One entry per row; those of a sum are 0 for rows outside of its class.
  const std::uint8_t* in_class(std::size_t row_class) const { return in_class_[row_class]; }
  const std::int64_t* sum(std::size_t index) const { return sums_[index]; }

 private:
  // Which rows have an input; null: all of them.
  using Present = const std::uint8_t*;

  Present ReadPresence(const ColumnData& column, std::size_t n, std::vector<std::uint8_t>& bytes);
  void ReadValue(std::size_t value, const ColumnData& column, std::size_t n);
  void ReadClass(std::size_t row_class, std::size_t n);
  void ReadSum(std::size_t index, std::size_t n);

  const CellLayout& layout_;
  std::span<const ColumnType> types_;
  std::vector<std::vector<std::int64_t>> steps_;        // per value
  std::vector<std::vector<std::uint8_t>> presence_;     // per value, then per presence
  std::vector<Present> present_;                        // the same, null where all rows have it
  std::vector<std::vector<std::uint8_t>> class_bytes_;  // per class
  std::vector<std::vector<std::int64_t>> terms_;        // per sum
  std::vector<std::uint8_t> ones_;
  std::vector<const std::uint8_t*> in_class_;
  std::vector<const std::int64_t*> sums_;
};

}  // namespace dpsql
