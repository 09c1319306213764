#pragma once

#include <vector>

#include "plan/dp_plan.h"
#include "sql/ast.h"

// The clip of privacy/clip.h as SQL, over a table of units' cells.
namespace dpsql {

// Queries of which each reads the one before under the name r and adds columns to it.
class Levels {
 public:
  // Requires: the columns of `first` are named so.
  Levels(ast::Select first, std::vector<std::string> columns)
      : query_(std::move(first)), columns_(std::move(columns)) {}

  void Add(std::string column, ast::ExprPtr expr) {
    added_.push_back({.expr = std::move(expr), .alias = std::move(column)});
  }

  // The columns added since the last call can be read from now on; the database computes them once.
  void Next();

  // The last query. Requires: nothing was added since Next.
  ast::Select Finish() && { return std::move(query_); }

 private:
  ast::Select query_;
  std::vector<std::string> columns_;
  std::vector<ast::SelectItem> added_;
};

// How a statistic of sums is read from the cells r of units: n0 … rows of the classes, s0 … sums.
struct ClippedStatistic {
  const Statistic* statistic = nullptr;
  std::size_t number = 0;      // of the door's; names its columns
  std::size_t first_sum = 0;   // the first of its sums
  bool one_cell = false;       // a unit has one cell: nothing is added up over it
  bool shown_in_some = false;  // the column f<number> says where it is released
  std::int64_t rows_inside = 0;
};

// Adds the column i<number>: whether the unit's rows are not more than `rows_inside`, so that
// its vector is inside of the bound. Proof: a row is not longer than One (aggregates/statistic.h),
// and the clip is rows_inside times One.
void AddInside(const ClippedStatistic& own, Levels& levels);

// Adds, for units that are not inside, the column m<number>: a length that the vector does not
// exceed, as a whole number; NULL where the vector is within the clip. Takes several levels.
// Requires: AddInside came before.
void AddLengths(const std::vector<ClippedStatistic>& all, Levels& levels);

// A coordinate of the cell after the clip. Requires: AddLengths.
// Ensures: the unit's clipped vector is within the clip in the norm of the statistic's noise.
// Proof: c' = trunc(c * clip / m), m not below the norm of c, as in privacy/clip.h.
ast::ExprPtr ClippedCoordinate(const ClippedStatistic& own, std::size_t coordinate);

}  // namespace dpsql
