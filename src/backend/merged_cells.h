#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/cell_layout.h"
#include "backend/cell_memory.h"
#include "backend/unit_cells.h"
#include "backend/unit_view.h"
#include "backend/value_codes.h"

namespace dpsql {

// Runs task(0) … task(count - 1), each on a thread of its own. What a task throws is thrown here.
void RunTasks(std::size_t count, const std::function<void(std::size_t)>& task);

class NamedUnits;

// All cells of a query, in parts that threads walk side by side.
// Ensures: as a set of (unit, key, numbers) it is a function of the rows alone, whatever threads
// saw them in whatever order. A (unit, group) where no class has a row is no cell, nor is one of a
// group that is not listed.
class MergedCells {
 public:
  // Requires: tables of this layout, types and memory, each with a row. `parts` is at least 1,
  // and fewer are made of few rows.
  // Throws CellLimitReached where memory ends.
  MergedCells(const CellLayout& layout, std::span<const ColumnType> types,
              std::shared_ptr<CellMemory> memory, std::vector<std::unique_ptr<UnitCells>> tables,
              std::size_t parts);

  const CellLayout& layout() const { return layout_; }
  CellMemory& memory() const { return *memory_; }
  std::size_t keys() const { return key_values_.size(); }
  const std::vector<Value>& key(std::uint32_t code) const { return key_values_[code]; }

  // None where there are no rows.
  std::size_t parts() const { return parts_; }
  // Calls visit for each unit of a part that has a cell. The view is another unit's afterwards.
  void ForEachUnit(std::size_t part, const std::function<void(const UnitView&)>& visit) const;
  // The unit as the database casts it to text.
  std::string UnitText(std::size_t part, std::uint64_t unit) const;

  Value DistinctValue(std::size_t index, std::uint32_t code) const;
  std::size_t distinct_values(std::size_t index) const { return distincts_[index].count(); }

 private:
  void ImportCodes();
  void DropUnlisted();

  CellLayout layout_;
  std::vector<ColumnType> types_;
  std::shared_ptr<CellMemory> memory_;
  std::vector<std::unique_ptr<UnitCells>> tables_;
  std::vector<CellSource> sources_;  // of the tables
  std::size_t parts_ = 0;
  std::optional<std::pair<Int128, Int128>> numbers_;  // all units, where they are close together
  std::vector<std::shared_ptr<const NamedUnits>> named_;  // otherwise, one for each part
  std::vector<std::vector<Value>> key_values_;
  std::vector<ValueCodes> distincts_;
};

}  // namespace dpsql
