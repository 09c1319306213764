#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backend/cell_layout.h"
#include "backend/cell_memory.h"
#include "backend/chunk_filter.h"
#include "backend/merged_cells.h"
#include "backend/unit_cells.h"
#include "backend/unit_links.h"

// What takes the rows of a pass in, whatever database hands them over: chunks of columns go to the
// cells of one thread, or to the links that lead to units.
namespace dpsql {

// The allowance of a pass. Codes have 32 bits, and a coded thing takes 24 bytes at least.
std::shared_ptr<CellMemory> MakeCellMemory(std::size_t limit);

// How many columns come before those of the layout: a key that leads to a unit which is not kept.
std::size_t ColumnsAhead(const CellLayout& layout);

// The types of the cells that are made of columns of these types: links put numbers into the place
// of keys.
std::vector<ColumnType> CellTypes(const CellLayout& layout, std::span<const ColumnType> columns);

// One thread's table.
class CellReader {
 public:
  // `types` are those of the columns as they come.
  CellReader(const CellLayout& layout, std::vector<ColumnType> types,
             std::shared_ptr<CellMemory> memory);

  // Adds n rows; the columns are changed. Throws bad_alloc where memory ends; the reader is then to
  // be destroyed.
  void Add(std::span<ColumnData> columns, std::size_t n);

  std::unique_ptr<UnitCells> TakeTable() { return std::move(table_); }

 private:
  std::size_t FollowLinks(std::span<ColumnData> columns, std::size_t n);

  std::shared_ptr<CellMemory> memory_;  // before what is taken from it
  std::shared_ptr<const UnitLinks> links_;
  std::size_t ahead_;
  std::unique_ptr<UnitCells> table_;
  Payload key_ = Payload::kNone;       // of the column that leads to the unit
  std::vector<std::uint32_t> linked_;  // the rows whose key leads to a unit
  std::vector<std::int64_t> units_;    // theirs
  std::optional<ChunkFilter> filter_;
};

// One thread's pairs of a parent's key and its unit.
class LinkReader {
 public:
  LinkReader(Payload key, Payload unit, std::shared_ptr<CellMemory> memory);

  // Adds n rows. Requires: no NULLs; they are filtered before. Throws bad_alloc where memory ends.
  void Add(const void* keys, const void* units, std::size_t n);

  std::unique_ptr<LinkPairs> TakePairs() { return std::move(pairs_); }

 private:
  static void Append(const void* data, Payload payload, std::size_t n,
                     CellVector<std::int64_t>& to);

  std::shared_ptr<CellMemory> memory_;  // before what is taken from it
  std::unique_ptr<LinkPairs> pairs_;
  Payload key_;
  Payload unit_;
};

// The links of all pairs, which hold on to the memory that they are taken from; null where they are
// not worth an array.
std::shared_ptr<const UnitLinks> MakeLinks(const std::vector<std::unique_ptr<LinkPairs>>& pairs,
                                           std::shared_ptr<CellMemory> memory);

}  // namespace dpsql
