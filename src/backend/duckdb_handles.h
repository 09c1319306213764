#pragma once

#include <duckdb.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/public_table.h"
#include "base/int128.h"
#include "dpsql/result.h"
#include "dpsql/value.h"

// Owners for DuckDB's C handles. Nothing outside backend/duckdb*.cc sees them.
namespace dpsql {

// Calls `destroy` on a handle at the end of the block.
template <typename Handle, void (*destroy)(Handle*)>
struct Guard {
  Handle handle{};
  Guard() = default;
  explicit Guard(Handle owned) : handle(owned) {}
  ~Guard() { destroy(&handle); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

using LogicalType = Guard<duckdb_logical_type, duckdb_destroy_logical_type>;

class DuckDbDatabase {
 public:
  DuckDbDatabase() = default;
  ~DuckDbDatabase();
  DuckDbDatabase(const DuckDbDatabase&) = delete;
  DuckDbDatabase& operator=(const DuckDbDatabase&) = delete;

  using Settings = std::vector<std::pair<std::string, std::string>>;

  // Opens a database in memory for public rows: it reaches nothing outside, and takes little.
  std::string OpenEmpty();

  // Opens a file, or a database in memory where the path is ":memory:". Returns DuckDB's words
  // where it cannot, else an empty text.
  std::string Open(const std::string& path, const Settings& settings);

  duckdb_database handle() const { return handle_; }

 private:
  duckdb_database handle_ = nullptr;
};

// One chunk of a result, read by column and row.
class DuckDbChunk {
 public:
  explicit DuckDbChunk(duckdb_data_chunk handle) : handle_(handle) {}
  ~DuckDbChunk();
  DuckDbChunk(const DuckDbChunk&) = delete;
  DuckDbChunk& operator=(const DuckDbChunk&) = delete;

  std::size_t size() const;
  std::size_t columns() const;
  bool IsNull(std::size_t column, std::size_t row) const;

  // A VARCHAR. Requires: not NULL.
  std::string Text(std::size_t column, std::size_t row) const;
  // A BOOLEAN, BIGINT, DOUBLE or VARCHAR, or NULL.
  Value Read(std::size_t column, std::size_t row) const;
  // A BIGINT or HUGEINT; 0 where it is NULL.
  Int128 Whole(std::size_t column, std::size_t row) const;
  bool Flag(std::size_t column, std::size_t row) const;

 private:
  duckdb_data_chunk handle_;
};

// What a statement ended with; `text` is DuckDB's own and may hold private values.
struct DuckDbFailure {
  bool interrupted = false;
  std::string text;
};

class DuckDbConnection {
 public:
  explicit DuckDbConnection(const DuckDbDatabase& database);
  ~DuckDbConnection();
  DuckDbConnection(const DuckDbConnection&) = delete;
  DuckDbConnection& operator=(const DuckDbConnection&) = delete;

  // Plans a statement, so that the next Run of the same text need not. What is wrong with it shows
  // there.
  void Prepare(const std::string& sql);

  // Runs a statement and hands over its chunks one after the other, without keeping them.
  std::optional<DuckDbFailure> Run(const std::string& sql,
                                   const std::function<void(const DuckDbChunk&)>& consume);

  // Adds all rows of a statement's first columns, each BOOLEAN, BIGINT, DOUBLE or VARCHAR.
  std::optional<DuckDbFailure> ReadRows(const std::string& sql, std::size_t columns,
                                        std::vector<std::vector<Value>>& rows);

  // Makes a table with these rows, of this connection alone where it is a release. Texts become
  // values of their column's type.
  std::optional<DuckDbFailure> Add(const PublicTable& table);

  // Stops what runs, and whatever would run next on this connection. From any thread.
  void Interrupt() {
    interrupted_ = true;
    duckdb_interrupt(handle_);
  }

 private:
  using Statement = Guard<duckdb_prepared_statement, duckdb_destroy_prepare>;
  duckdb_connection handle_ = nullptr;
  std::map<std::string, Statement> prepared_;  // by their texts
  std::atomic<bool> interrupted_ = false;
};

}  // namespace dpsql
