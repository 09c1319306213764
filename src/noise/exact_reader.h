#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "backend/exact_table.h"

namespace dpsql {

// The one that opens an ExactTable, consuming it. tools/tidy keeps the word inside this room.
class ExactReader {
 public:
  explicit ExactReader(ExactTable table) : rows_(std::move(table.rows_)) {}

  std::size_t size() const { return rows_.size(); }
  std::vector<Value>& key(std::size_t row) { return rows_[row].key; }
  std::vector<Int128>& numbers(std::size_t row) { return rows_[row].numbers; }

 private:
  std::vector<ExactTable::Row> rows_;
};

}  // namespace dpsql
