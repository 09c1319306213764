#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/int128.h"
#include "dpsql/value.h"

namespace dpsql {

// Numbers as they are in the data, before noise. It can be moved and nothing else: no accessor, no
// printer, no copy. Only the noise room opens it (ExactReader), to choose keys or to add noise.
class ExactTable {
 public:
  ExactTable(ExactTable&&) noexcept = default;
  ExactTable& operator=(ExactTable&&) noexcept = default;
  ExactTable(const ExactTable&) = delete;
  ExactTable& operator=(const ExactTable&) = delete;

 private:
  friend class ExactTableBuilder;
  friend class ExactReader;

  struct Row {
    std::vector<Value> key;
    std::vector<Int128> numbers;
  };

  ExactTable() = default;

  std::vector<Row> rows_;
};

// Fills an ExactTable, one way only.
class ExactTableBuilder {
 public:
  void Add(std::vector<Value> key, std::vector<Int128> numbers) {
    table_.rows_.push_back({std::move(key), std::move(numbers)});
  }
  ExactTable Finish() && { return std::move(table_); }

 private:
  ExactTable table_;
};

}  // namespace dpsql
