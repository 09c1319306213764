#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backend/public_table.h"
#include "backend/sqlite_functions.h"
#include "base/incident_log.h"
#include "catalog/schema.h"
#include "dpsql/result.h"
#include "dpsql/value.h"

struct sqlite3;
struct sqlite3_stmt;

namespace dpsql {

// A row of a statement's answer. Requires: used while the statement stands on it.
class SqliteRow {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}

  bool IsNull(int column) const;
  std::int64_t Whole(int column) const;
  std::string Text(int column) const;
  // A value of a column of this type as boolean, BIGINT, DOUBLE or text; NULL where it is none.
  Value Read(int column, TypeFamily family) const;

 private:
  sqlite3_stmt* statement_;
};

// Why a statement ended without an answer. The words are SQLite's own, for the owner's log.
struct SqliteFailure {
  bool interrupted = false;
  bool out_of_memory = false;
  std::string text;
};

// The error of a statement that failed.
Error SqliteRunError(const SqliteFailure& failure, IncidentLog& incidents);

// One connection to a file of SQLite's, which it can only read. Hardened: no extension is loaded,
// nothing of the schema runs (views, triggers, functions in it), no other file is reached, and what
// SQLite puts aside stays in memory. Not for several threads at once, but for Interrupt.
class SqliteConnection {
 public:
  // Refuses (E501) what is no file of SQLite's in UTF-8, and a library that is too old.
  static Result<std::shared_ptr<SqliteConnection>> Open(const std::string& path,
                                                        IncidentLog& incidents);

  // A database in memory with these tables and without a row, to find out what SQLite says to a
  // statement.
  static std::shared_ptr<SqliteConnection> OpenEmpty(const std::vector<SchemaTable>& tables);

  ~SqliteConnection();
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  // Freezes the view of the data, until the connection ends. Returns the number of the schema's
  // state: where it is the same, so are all tables, columns and keys.
  std::optional<SqliteFailure> Freeze(std::int64_t& schema_version);

  // A number that changes when another connection, of whatever program, has changed the data since
  // this one looked before. Requires: not frozen.
  std::optional<SqliteFailure> DataVersion(std::int64_t& version);

  // From now on statements can do nothing but SELECT, from these tables and from releases, with the
  // functions that the dialect prints.
  void Restrict(const std::set<std::string>& tables);

  // Statements fail when all of SQLite's memory in this process is more.
  void LimitMemory(std::size_t bytes) { memory_limit_ = bytes; }

  // Whether a table's column, read by its name, compares by its bytes.
  bool ComparesByBytes(const std::string& table, const std::string& column) const;

  // Compiles a statement and forgets it. Returns SQLite's words where it cannot.
  std::string Compile(const std::string& sql);

  std::optional<SqliteFailure> Run(const std::string& sql,
                                   const std::function<void(const SqliteRow&)>& consume);

  // Runs a statement that hands its rows over (backend/sqlite_functions.h), and returns how many.
  std::optional<SqliteFailure> HandOver(const std::string& sql, SqliteRowTaker& taker,
                                        std::int64_t& rows);

  // Makes a table of this connection's own. Rows keep their values, each as its column's type says.
  std::optional<SqliteFailure> Add(const PublicTable& release);

  // Stops what runs, and whatever would run next on this connection. From any thread.
  void Interrupt();

 private:
  struct Statement;
  SqliteConnection() = default;
  bool Configure();
  void Guard();
  bool MayRead(std::string_view table, std::string_view column, std::string_view database) const;
  std::optional<SqliteFailure> Insert(const PublicTable& release);
  SqliteFailure Failure() const;
  bool MustStop();

  sqlite3* handle_ = nullptr;
  std::set<std::string> tables_;  // lower case
  SqliteRowTaker* taker_ = nullptr;
  std::size_t memory_limit_ = SIZE_MAX;
  bool over_memory_ = false;
  std::atomic<bool> interrupted_ = false;

  friend struct SqliteCallbacks;
};

}  // namespace dpsql
