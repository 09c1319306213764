#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "backend/exact_table.h"
#include "backend/key_set.h"
#include "backend/merged_cells.h"
#include "backend/priority.h"
#include "base/int128.h"

// Bounds what each unit contributes, from cells that are in memory: the same functions of the rows
// as unit_bounding.h, to the integer.
namespace dpsql {

struct CellBounds {
  std::int64_t groups_per_unit = 1;  // C0, at least 1
  PriorityKey key{};
};

// Stage 1: units per (group, class). A unit counts in the first C0 of its groups by priority.
// Ensures: adding a unit adds 1 to at most C0 * J cells and changes nothing else.
ExactTable CountCells(const MergedCells& cells, const CellBounds& bounds);

// Of each class, how many rows the unit with the most has.
std::vector<std::int64_t> MostRows(const MergedCells& cells);

// One vector that is summed over units.
struct CellStatistic {
  enum class Kind {
    kSums,      // the unit's vector over all selected cells, clipped
    kUnits,     // 1 in each of the first C0 selected groups by priority
    kDistinct,  // values claimed by units, in the first C0 selected groups by priority
  };

  Kind kind = Kind::kSums;
  std::size_t row_class = 0;
  std::size_t distinct = 0;  // of kDistinct: which set; its class is the one above
  // Of kSums: it counts the rows of this class too, which holds the one above. A key is summed
  // where either class is selected, and `rows_inside` are rows of this one.
  std::optional<std::size_t> missing_class;

  // Of kSums.
  std::vector<std::size_t> sums;
  std::size_t width = 1;
  // The coordinates from the number of rows of every class and the sums, in the order named.
  // Requires: linear; its coefficients and the sums are such that no int128 wraps.
  std::function<void(std::span<const Int128> class_rows, std::span<const Int128> sums,
                     std::span<Int128> coordinates)>
      coordinates;
  // Bounds the vector. Requires: what becomes of a coordinate does not depend on the order of the
  // others, and vectors inside the bound do not change.
  std::function<void(std::span<Int128>)> clip;
  // Requires: the vector of this many rows, whatever they are, is inside the bound of `clip`, for
  // instance when each row's vector has norm at most D and the bound is this many D. At least 1
  // where rows are units. 0: every vector is given to `clip`.
  std::int64_t rows_inside = 0;
};

// Stage 2, over the selected keys.
// Throws CellLimitReached where memory ends, which only distinct values can bring about.
// Ensures: one row per key of the set, in its order, each with the statistics' coordinates one
// after the other; adding a unit moves a statistic by what its own bound says.
// Proof of the short cut: a vector of at most `rows_inside` rows is not changed by the clip, and
// coordinates are linear, so that the sums of such units may be added first and turned into
// coordinates once for each group.
ExactTable SumCells(const MergedCells& cells, const KeySet& keys,
                    std::span<const CellStatistic> statistics, const CellBounds& bounds);

}  // namespace dpsql
