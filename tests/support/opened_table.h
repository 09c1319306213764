#pragma once

#include <map>
#include <utility>
#include <vector>

#include "noise/exact_reader.h"

namespace dpsql {

// The exact numbers of a table by key, for tests of the rooms that make one.
using OpenedTable = std::map<std::vector<Value>, std::vector<Int128>>;

inline OpenedTable OpenTable(ExactTable table) {
  ExactReader reader(std::move(table));
  OpenedTable opened;
  for (std::size_t row = 0; row < reader.size(); ++row) {
    opened.emplace(std::move(reader.key(row)), std::move(reader.numbers(row)));
  }
  return opened;
}

}  // namespace dpsql
