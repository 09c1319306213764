#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dpsql/answer.h"

namespace dpsql {

// One cell for people to read. Where the noise reaches about as far to both sides it has a margin,
// else an interval; never both.
struct ShownCell {
  std::string value;     // "12,030"; a text as it is, with whatever characters it has
  std::string margin;    // "480"
  std::string interval;  // "[9,100, 31,000]"
  bool swamped = false;  // the noise may be larger than the number; the value begins with ~
  bool withheld = false;
};

// Digits that mean something: two of the margin, and the value rounded to the same place.
// Thousands are grouped in numbers that were estimated and in no others: a key may be a year.
ShownCell ShowCell(const AnswerColumn& column, const Value& value,
                   const std::optional<NoiseInterval>& interval);

// Shows the cells of one answer. A number without an interval in a column that has some is one
// whose noise has no bounds (a ratio that may be divided by about nothing): it is swamped.
class CellPrinter {
 public:
  explicit CellPrinter(const Answer& answer);

  ShownCell Show(std::size_t row, std::size_t column) const;

 private:
  const Answer& answer_;
  std::vector<bool> has_intervals_;  // of each column
};

// "12,030 ± 480".
std::string CellText(const ShownCell& cell);

// Whether the column's type is one of numbers.
bool IsNumeric(const AnswerColumn& column);

// Whether its numbers were estimated, or computed from such.
bool IsEstimated(const AnswerColumn& column);

// What ~ means, below a table that has one.
inline constexpr const char* kSwampedLegend = "~ the noise may be larger than the number";

}  // namespace dpsql
