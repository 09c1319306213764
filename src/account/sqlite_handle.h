#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dpsql/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace dpsql {

// Prepared statements of one text that nobody uses just now.
using IdleStatements = std::vector<sqlite3_stmt*>;

// A prepared statement. Values are bound from left to right, columns are read by position.
// Requires: its SqliteHandle outlives it.
class SqliteStatement {
 public:
  SqliteStatement& Bind(std::int64_t value);
  SqliteStatement& Bind(std::string_view text);
  SqliteStatement& BindBlob(std::string_view bytes);

  // True when there is a row to read, false when there are no more.
  Result<bool> Step();
  // Runs a statement that returns no rows.
  Status Run();

  // Requires: the last Step() was true.
  std::int64_t Int(int column) const;
  std::string Text(int column) const;
  std::string Blob(int column) const;
  bool IsNull(int column) const;

 private:
  friend class SqliteHandle;
  struct GiveBack {
    IdleStatements* idle = nullptr;
    void operator()(sqlite3_stmt* statement) const;
  };
  SqliteStatement(sqlite3_stmt* statement, IdleStatements& idle, std::string path)
      : statement_(statement, GiveBack{&idle}), path_(std::move(path)) {}
  void Note(int code);

  std::unique_ptr<sqlite3_stmt, GiveBack> statement_;
  std::string path_;
  int next_parameter_ = 1;
  int bind_error_ = 0;
};

// One connection to the ledger's file, with the settings that durability rests on: WAL,
// synchronous=FULL. Not for several threads at once.
class SqliteHandle {
 public:
  enum class Mode { kOpen, kCreate };

  // kOpen never creates a file and refuses a database that can only be read. kCreate does not
  // flush: who creates a file flushes it once, when it is whole, before it gets its name.
  static Result<SqliteHandle> Open(const std::string& path, Mode mode);

  // A database of its own that no file holds.
  static Result<SqliteHandle> OpenInMemory();

  Status Execute(const char* sql);
  // Compiles a text once and keeps it: most of a small write would be spent compiling.
  Result<SqliteStatement> Prepare(std::string_view sql);
  // The first column of the first row. Requires: the statement returns a row.
  Result<std::string> QueryText(std::string_view sql);
  Result<std::int64_t> QueryInt(std::string_view sql);

  // Fills an empty file with what this connection sees: one consistent view, while others write.
  // Ensures: on success the file is flushed.
  Status CopyTo(const std::string& path);

  // Whether the file was unlinked or renamed since it was opened.
  Result<bool> HasMoved();

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  // Finalises what it holds.
  struct StatementCache {
    StatementCache() = default;
    StatementCache(StatementCache&&) noexcept = default;
    StatementCache& operator=(StatementCache&&) noexcept = default;
    StatementCache(const StatementCache&) = delete;
    StatementCache& operator=(const StatementCache&) = delete;
    ~StatementCache();
    std::map<std::string, IdleStatements, std::less<>> idle;
  };
  SqliteHandle(sqlite3* database, std::string path) : database_(database), path_(std::move(path)) {}
  Status Configure(Mode mode);

  std::unique_ptr<sqlite3, Close> database_;
  std::string path_;
  StatementCache statements_;  // gone before the connection
};

// A transaction that rolls back unless it was committed.
class SqliteTransaction {
 public:
  // Takes the write lock at once, so that what is read inside is what is written upon.
  static Result<SqliteTransaction> BeginImmediate(SqliteHandle& database);
  // One consistent view for several reads.
  static Result<SqliteTransaction> BeginRead(SqliteHandle& database);

  SqliteTransaction(SqliteTransaction&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  SqliteTransaction& operator=(SqliteTransaction&&) = delete;
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  ~SqliteTransaction();

  Status Commit();

 private:
  explicit SqliteTransaction(SqliteHandle& database) : database_(&database) {}
  SqliteHandle* database_;
};

}  // namespace dpsql
