#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dpsql/answer.h"

namespace dpsql {

// A cell whose value and noise are lined up with those above and below.
struct BoxCell {
  std::string value;
  std::string noise;  // " ±  25"
  bool faint = false;

  std::size_t width() const;
};

// One column of an answer as text without control characters.
struct BoxColumn {
  std::string name;
  std::size_t name_width = 0;
  bool right = false;      // numbers end in line
  bool swamped = false;    // one of its cells is marked
  std::size_t widest = 0;  // of its cells
  std::vector<BoxCell> cells;
};

std::vector<BoxColumn> BoxColumns(const Answer& answer);

// A place in the table.
struct BoxSlot {
  const BoxColumn* column = nullptr;  // none: here columns are left out
  std::size_t width = 1;
};

// The columns that find room in a table of `width` columns of the terminal (0: all), and how much
// of it each takes. Ensures: the table is no wider, from 10 columns on.
std::vector<BoxSlot> FitColumns(const std::vector<BoxColumn>& columns, std::size_t width);

}  // namespace dpsql
