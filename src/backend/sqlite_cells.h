#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/cell_layout.h"
#include "backend/cell_reader.h"
#include "backend/merged_cells.h"
#include "backend/sqlite_functions.h"

// Rows that SQLite hands over one by one, gathered into the chunks that cells are filled from.
namespace dpsql {

// Columns of some rows. A value that is not what its column's payload says is NULL.
class SqliteChunk {
 public:
  static constexpr std::size_t kMostRows = 2048;

  explicit SqliteChunk(std::span<const ColumnType> types);

  // Requires: not full, a value for each column.
  void Add(std::span<sqlite3_value*> row);
  bool full() const { return rows_ == kMostRows; }
  std::size_t rows() const { return rows_; }
  // Valid until the next row comes; changing them changes nothing here.
  std::span<ColumnData> columns();
  void Clear();

 private:
  struct Column {
    Payload payload = Payload::kNone;
    std::size_t width = 0;  // of a value, in bytes
    std::vector<std::uint64_t> data;
    std::vector<std::uint64_t> validity;
    bool has_nulls = false;
    std::deque<std::string> texts;  // those that do not fit into their place
  };

  static bool Store(Column& column, std::size_t row, sqlite3_value* value);

  std::vector<Column> columns_;
  std::vector<ColumnData> data_;
  std::size_t rows_ = 0;
};

// The place where one statement's cells arrive.
class SqliteCellRows : public SqliteRowTaker {
 public:
  // `types` are those of the columns as they come.
  SqliteCellRows(CellLayout layout, std::vector<ColumnType> types);

  void Take(std::span<sqlite3_value*> row) override;

  // Rows come with a parent's key from now on. Requires: no row came before.
  void Link(std::shared_ptr<const UnitLinks> links);

  // Whether the cells have outgrown the layout's limit.
  bool full() const { return full_; }

  // The cells of the statement that has run and counted its rows; nothing where they outgrew the
  // limit. Requires: called once.
  std::optional<MergedCells> Finish(std::int64_t counted);

 private:
  void Flush();

  CellLayout layout_;
  std::vector<ColumnType> types_;
  std::shared_ptr<CellMemory> memory_;
  SqliteChunk chunk_;
  std::unique_ptr<CellReader> reader_;
  std::int64_t taken_ = 0;
  bool full_ = false;
};

// The place where one statement's links arrive: a parent's key and the unit, both whole numbers.
class SqliteLinkRows : public SqliteRowTaker {
 public:
  // `memory_limit` is that of the cells that follow; links take half of it at most.
  explicit SqliteLinkRows(std::size_t memory_limit);

  void Take(std::span<sqlite3_value*> row) override;
  bool full() const { return full_; }

  // Nothing where they are not worth an array. Requires: called once.
  std::shared_ptr<const UnitLinks> Finish(std::int64_t counted);

 private:
  void Flush();

  std::shared_ptr<CellMemory> memory_;
  SqliteChunk chunk_;
  LinkReader reader_;
  std::int64_t taken_ = 0;
  bool full_ = false;
};

}  // namespace dpsql
