#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "backend/cell_layout.h"
#include "backend/unit_cells.h"

namespace dpsql {

// A thread's table, with its codes as codes of the whole.
struct CellSource {
  const UnitCells* table = nullptr;
  std::vector<std::uint32_t> keys;                 // kNoCode: a group that is left out
  std::vector<std::vector<std::uint32_t>> values;  // per distinct set
};

// One unit's cells, put together from what each thread saw of it. Groups are codes of the whole.
// One view serves unit after unit, so that what it holds stays near the processor.
// Ensures: a group appears once, its numbers are exact, and one where no class has a row not at
// all; all of it whatever thread saw what.
class UnitView {
 public:
  UnitView(const CellLayout& layout, std::size_t keys);

  std::uint64_t unit() const { return unit_; }  // a name that UnitText reads
  std::uint32_t cells() const { return static_cast<std::uint32_t>(keys_.size()); }
  std::uint32_t key(std::uint32_t cell) const { return keys_.data()[cell]; }
  bool HasRows(std::uint32_t cell, std::size_t row_class) const {
    return record_.counts(At(cell))[row_class] != 0;
  }
  std::int64_t Rows(std::uint32_t cell, std::size_t row_class) const {
    const std::int64_t rows = record_.counts(At(cell))[row_class];
    return wide_.empty() ? rows : rows + WideRows(cell, row_class);
  }
  Int128 Sum(std::uint32_t cell, std::size_t index) const {
    const auto sum = static_cast<std::int64_t>(At(cell)[index]);
    return wide_.empty() ? sum : sum + WideSum(cell, index);
  }
  // The codes of a cell's distinct values, in order.
  std::vector<std::uint32_t> Values(std::uint32_t cell, std::size_t index) const;

  void Begin(std::uint64_t unit);
  // Adds what one thread has of the unit.
  void Gather(const CellSource& source, std::size_t slot) {
    source.table->ForEachCell(slot, [&](std::uint32_t code, const std::uint64_t* record) {
      if (record_.live(record)) AddCell(source, slot, code, record);
    });
  }

 private:
  // Of a cell: where it came from, for its distinct values.
  struct Origin {
    std::uint32_t cell = 0;
    const CellSource* source = nullptr;
    const std::uint64_t* record = nullptr;
  };

  const std::uint64_t* At(std::uint32_t cell) const {
    return records_.data() + cell * record_.words;
  }
  void AddCell(const CellSource& source, std::size_t slot, std::uint32_t code,
               const std::uint64_t* record);
  void AddRecord(std::uint32_t cell, const std::uint64_t* record);
  std::int64_t WideRows(std::uint32_t cell, std::size_t row_class) const;
  Int128 WideSum(std::uint32_t cell, std::size_t index) const;

  const CellLayout& layout_;
  CellRecord record_;
  std::uint64_t unit_ = 0;
  std::vector<std::uint32_t> keys_;  // per cell
  std::vector<std::uint64_t> records_;
  std::vector<std::uint32_t> place_;  // per key, the cell that had it last, of whatever unit
  std::map<std::uint32_t, WideCell> wide_;
  std::vector<Origin> origins_;
};

}  // namespace dpsql
