#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dpsql/answer.h"

// The formats that hold the rows and nothing else, for other programs.
namespace dpsql {

enum class CellPart { kValue, kLow, kHigh };

// A column of the file: one of the answer, or an end of its intervals.
struct FileColumn {
  std::string name;
  std::size_t column = 0;  // of the answer
  CellPart part = CellPart::kValue;
};

// Each column, and after one of estimated numbers those of its interval, NAME_low and NAME_high.
// Ensures: depends on the answer's columns only; no two have the same name (`count` and `count_2`),
// and the ends of intervals give way to names that the query chose.
std::vector<FileColumn> FileColumns(const Answer& answer);

// RFC 4180 with lines that end in a newline, as psql's. NULL and what is withheld is nothing, an
// empty text is "". Numbers have every digit. Texts are not changed, whatever a spreadsheet would
// make of a first character like =.
std::string FormatCsv(const Answer& answer);

// An object for each row, with null where there is nothing.
std::string FormatJsonLines(const Answer& answer);

}  // namespace dpsql
