#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "backend/cell_layout.h"
#include "backend/cell_memory.h"
#include "backend/row_terms.h"
#include "backend/value_codes.h"

namespace dpsql {

// A cell's numbers in 128 bits: the class counts, then the sums.
using WideCell = std::vector<Int128>;

// How a cell lies in memory: the sums as int64, the class counts as uint32, the heads of the lists
// of distinct values as uint32, in words of 64 bits.
struct CellRecord {
  explicit CellRecord(const CellLayout& layout);

  std::uint32_t* counts(std::uint64_t* record) const {
    return reinterpret_cast<std::uint32_t*>(record + sums);
  }
  const std::uint32_t* counts(const std::uint64_t* record) const {
    return reinterpret_cast<const std::uint32_t*>(record + sums);
  }
  // Whether any row of a class was added.
  bool live(const std::uint64_t* record) const {
    const std::uint32_t* const count = counts(record);
    for (std::size_t c = 0; c < classes; ++c) {
      if (count[c] != 0) return true;
    }
    return false;
  }
  // Moves the numbers of a class to `wide`. One row stays in the count, so that the class is seen
  // to have one. Requires: the layout is the record's own; the class has a row.
  void Spill(const CellLayout& layout, std::size_t row_class, std::uint64_t* record,
             WideCell& wide) const;

  std::size_t sums = 0;
  std::size_t classes = 0;
  std::size_t first_head = 0;  // as an index of counts()
  std::size_t words = 0;
};

// What one thread has seen of the rows: a table (unit, group) -> cell. Units and groups are slots
// and codes of this table. Cells are an array [slot][code] while it is small or there are few
// codes. Else they are a list in order of arrival: with distinct values a hash table beside it
// finds a cell again; without them each row is a cell of its own, and when the list is long those
// of a unit and a group are put together. Slots are the unit's number less the smallest while
// numbers lie close together for so many rows, else codes; rows that come later may bring the
// numbers back. Ensures: every number is exact, whatever the rows are and in whatever order they
// come; several cells of a unit may be of one group, and together they are its numbers.
class UnitCells {
 public:
  // Requires: memory outlives it.
  UnitCells(const CellLayout& layout, std::span<const ColumnType> types, CellMemory& memory);

  UnitCells(const UnitCells&) = delete;
  UnitCells& operator=(const UnitCells&) = delete;

  // Adds n rows. Throws CellLimitReached where memory ends; the table is then to be destroyed.
  void Add(std::span<const ColumnData> columns, std::size_t n);

  std::uint64_t rows() const { return rows_; }
  bool has_dense_units() const { return dense_units_; }
  // Whether so many rows are worth an array with a place for each of `last` + 1 numbers.
  static bool LieClose(std::uint64_t last, std::uint64_t rows, std::uint64_t free_range);
  // Of dense units: the smallest and the largest seen. Requires: any row was added.
  std::int64_t least_unit() const { return least_; }
  std::int64_t largest_unit() const { return largest_; }
  std::size_t SlotOf(std::int64_t unit) const {
    return static_cast<std::uint64_t>(unit) - static_cast<std::uint64_t>(base_);
  }
  // Of other units: their names, by slot.
  const ValueCodes& units() const { return units_; }
  const KeyCodes& keys() const { return keys_; }
  const ValueCodes& distinct_values(std::size_t index) const { return distincts_[index].codes; }

  // Puts each unit's cells side by side; no rows come afterwards. Throws CellLimitReached where
  // memory ends.
  void Settle();

  // Calls visit(key code, record) for each cell of a unit that any row touched.
  // Requires: settled.
  template <typename Visit>
  void ForEachCell(std::size_t slot, const Visit& visit) const {
    if (!listed_) {
      const std::uint64_t* record = dense_.data() + slot * stride_ * record_.words;
      for (std::uint32_t code = 0; code < stride_; ++code, record += record_.words) {
        if (record_.live(record)) visit(code, record);
      }
      return;
    }
    const std::uint32_t end = ends_.data()[slot];
    for (std::uint32_t at = slot == 0 ? 0 : ends_.data()[slot - 1]; at < end; ++at) {
      visit(places_.data()[at].code, records_.data() + at * record_.words);
    }
  }

  // Calls visit(value code) for each value of a cell's distinct set.
  template <typename Visit>
  void ForEachValue(std::size_t index, const std::uint64_t* record, const Visit& visit) const {
    std::uint32_t at = record_.counts(record)[record_.first_head + index];
    for (; at != 0; at = distincts_[index].values.data()[at - 1].next) {
      visit(distincts_[index].values.data()[at - 1].code);
    }
  }

  // What was moved out of a cell's record, or null.
  const WideCell* Spilled(std::size_t slot, std::uint32_t code) const;
  bool any_spilled() const { return !spilled_.empty(); }

 private:
  // Of a listed cell.
  struct CellPlace {
    std::uint32_t slot = 0;
    std::uint32_t code = 0;
  };
  // In the list of a cell's distinct values.
  struct Link {
    std::uint32_t code = 0;
    std::uint32_t next = 0;  // plus one; 0 ends
  };
  struct Distinct {
    Distinct(Payload payload, CellMemory& memory);
    ValueCodes codes;
    CodeTable<std::uint64_t> seen;  // (cell, value)
    CellVector<Link> values;
    CellVector<std::uint32_t> last_cell;  // per value, the cell that had it last
  };

  // A cell by a name that stays when slots move.
  using CellName = std::pair<std::uint64_t, std::uint32_t>;
  CellName NameOf(std::size_t slot, std::uint32_t code) const {
    return {dense_units_ ? slot + static_cast<std::uint64_t>(base_) : slot, code};
  }

  void FindSlots(const ColumnData& column, std::size_t n);
  template <typename T>
  void FindDenseSlots(const T* units, std::size_t n);
  template <typename T>
  bool CoverDense(const T* units, std::size_t n);
  bool MayTake(std::size_t room, std::size_t stride) const;
  bool IsWorthAnArray(std::size_t room) const;
  std::size_t RoomForCodes() const;
  // Where the numbers from `least` to `largest` lie in an array, with room on its sides.
  struct NumberRoom {
    std::uint64_t base = 0;
    std::size_t slots = 0;
  };
  NumberRoom RoomForNumbers(std::int64_t least, std::int64_t largest) const;
  void LeaveDenseUnits();
  void ReturnToDenseUnits();
  template <typename Rename>
  void RenameSpilled(const Rename& renamed);
  void IndexListed();
  bool SlotIsLive(std::size_t slot) const;
  // Moves the array of slots; slot s becomes s + shift.
  void Relayout(std::size_t shift, std::size_t room, std::size_t stride);
  void MakeRoomForCodes();
  void ListCells();
  bool is_log() const { return listed_ && distincts_.empty(); }
  void LogCells(std::size_t n);
  void ShortenLog();
  void Join(CellPlace place, std::uint64_t* target, const std::uint64_t* record);
  void SortBySlot();
  void FindCells(std::size_t n);
  std::uint32_t FindListed(std::size_t slot, std::uint32_t code);
  void AddDistincts(std::span<const ColumnData> columns, std::size_t n);
  void AddTotals(std::size_t n);
  // Whether all cells are those of a few groups, as where whose a row is does not matter.
  bool HasFewCells() const;
  void AddToFewCells(std::size_t n);
  void AddBlockToFewCells(std::size_t first, std::size_t n);
  void AddRows(std::size_t n);
  template <std::size_t sums, std::size_t classes>
  void AddRowsOf(std::size_t n);
  void Spill(std::size_t row, std::size_t row_class);

  CellLayout layout_;
  std::vector<ColumnType> types_;
  CellMemory& memory_;
  CellRecord record_;
  RowTerms terms_;
  KeyCodes keys_;
  ValueCodes units_;
  bool dense_units_;
  bool listed_;
  std::uint64_t rows_ = 0;
  std::int64_t base_ = 0;
  std::int64_t least_ = 0;
  std::int64_t largest_ = 0;
  std::uint64_t next_look_ = 0;  // in rows, whether units that have codes lie close by now
  std::size_t room_ = 0;         // slots
  std::size_t stride_ = 0;       // codes
  ZeroedWords dense_;
  CellVector<std::uint64_t> records_;
  CellVector<CellPlace> places_;
  CellVector<std::uint32_t> ends_;  // per slot, into the cells, once settled
  CodeTable<std::uint64_t> listed_cells_;
  std::size_t log_limit_ = 0;  // in cells
  std::vector<Distinct> distincts_;
  std::map<CellName, WideCell> spilled_;
  // The chunk at hand.
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::uint32_t> cells_;
  std::vector<std::uint32_t> values_;
};

}  // namespace dpsql
