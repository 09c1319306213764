#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/cell_layout.h"
#include "backend/cell_memory.h"
#include "backend/unit_cells.h"
#include "backend/value_codes.h"

namespace dpsql {

// Runs task(0) … task(count - 1), each on a thread of its own. What a task throws is thrown here.
void RunTasks(std::size_t count, const std::function<void(std::size_t)>& task);

// Some of the units, each with all of its cells side by side. Groups are codes of the whole.
struct CellPart {
  explicit CellPart(const CellLayout& layout, Payload unit, CellMemory& memory);

  std::size_t units() const { return ends.size(); }
  std::uint32_t first_cell(std::size_t unit) const { return unit == 0 ? 0 : ends.data()[unit - 1]; }
  std::uint32_t end_cell(std::size_t unit) const { return ends.data()[unit]; }

  std::int64_t Rows(std::size_t cell, std::size_t row_class) const;
  Int128 Sum(std::size_t cell, std::size_t index) const;
  // The codes of a cell's distinct values.
  std::span<const std::uint32_t> Values(std::size_t cell, std::size_t index) const;

  CellRecord record;
  bool numbered;                    // `names` are the units' own numbers, else codes of `texts`
  CellVector<std::uint64_t> names;  // per unit
  CellVector<std::uint32_t> ends;   // per unit, into the cells
  CellVector<std::uint32_t> keys;   // per cell
  CellVector<std::uint64_t> records;
  ValueCodes texts;
  std::map<std::uint32_t, WideCell> spilled;          // by cell
  std::vector<CellVector<std::uint32_t>> value_ends;  // per distinct set, per cell
  std::vector<CellVector<std::uint32_t>> values;
};

// All cells of a query, in parts that threads work on side by side.
// Ensures: as a set of (unit, key, numbers) it is a function of the rows alone, whatever threads
// saw them in whatever order. A (unit, group) where no class has a row is no cell.
class MergedCells {
 public:
  // Requires: tables of this layout, types and memory, each with a row. `parts` is at least 1,
  // and fewer are made of few rows.
  // Throws CellLimitReached where memory ends.
  MergedCells(const CellLayout& layout, std::span<const ColumnType> types,
              std::shared_ptr<CellMemory> memory, std::vector<std::unique_ptr<UnitCells>> tables,
              std::size_t parts);

  const CellLayout& layout() const { return layout_; }
  std::size_t keys() const { return key_values_.size(); }
  const std::vector<Value>& key(std::uint32_t code) const { return key_values_[code]; }
  std::span<const CellPart> parts() const { return parts_; }
  // The unit as the database casts it to text.
  std::string UnitText(const CellPart& part, std::size_t unit) const;
  Value DistinctValue(std::size_t index, std::uint32_t code) const;
  std::size_t distinct_values(std::size_t index) const { return distincts_[index].count(); }

 private:
  CellLayout layout_;
  std::vector<ColumnType> types_;
  std::shared_ptr<CellMemory> memory_;
  std::vector<std::vector<Value>> key_values_;
  std::vector<ValueCodes> distincts_;
  std::vector<CellPart> parts_;
};

}  // namespace dpsql
