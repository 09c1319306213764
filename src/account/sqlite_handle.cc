#include "account/sqlite_handle.h"

#include <sqlite3.h>

#include "account/file_lock.h"
#include "account/ledger_errors.h"
#include "base/check.h"
#include "base/try.h"

namespace dpsql {
namespace {

// SQLite's text for a code is fixed; the text of the last error may quote a row and is not used.
Error SqliteError(int code, const std::string& path) {
  const int primary = code & 0xff;
  if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) {
    return DamageError(sqlite3_errstr(primary), path);
  }
  return StorageError("SQLite failed on", path, sqlite3_errstr(primary));
}

// A leading "./" keeps SQLite's special names (":memory:") from meaning anything but a file.
std::string FileName(const std::string& path) { return path.starts_with('/') ? path : "./" + path; }

}  // namespace

void SqliteStatement::GiveBack::operator()(sqlite3_stmt* statement) const {
  sqlite3_reset(statement);  // repeats the error of the last step, which was seen
  sqlite3_clear_bindings(statement);
  idle->push_back(statement);
}

SqliteHandle::StatementCache::~StatementCache() {
  for (const auto& [sql, statements] : idle) {
    for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
  }
}

void SqliteStatement::Note(int code) {
  if (code != SQLITE_OK) bind_error_ = code;
  ++next_parameter_;
}

SqliteStatement& SqliteStatement::Bind(std::int64_t value) {
  Note(sqlite3_bind_int64(statement_.get(), next_parameter_, value));
  return *this;
}

SqliteStatement& SqliteStatement::Bind(std::string_view text) {
  Note(sqlite3_bind_text64(statement_.get(), next_parameter_, text.data(), text.size(),
                           SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

SqliteStatement& SqliteStatement::BindBlob(std::string_view bytes) {
  Note(sqlite3_bind_blob64(statement_.get(), next_parameter_, bytes.data(), bytes.size(),
                           SQLITE_TRANSIENT));
  return *this;
}

Result<bool> SqliteStatement::Step() {
  if (bind_error_ != SQLITE_OK) return SqliteError(bind_error_, path_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return SqliteError(code, path_);
}

Status SqliteStatement::Run() {
  TRY(const bool row, Step());
  Check(!row, "a statement that is run returns no rows");
  return Done{};
}

std::int64_t SqliteStatement::Int(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string SqliteStatement::Text(int column) const {
  const auto* text = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? "" : std::string(reinterpret_cast<const char*>(text), size);
}

std::string SqliteStatement::Blob(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), size);
}

bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void SqliteHandle::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Result<SqliteHandle> SqliteHandle::Open(const std::string& path, Mode mode) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                    (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(FileName(path).c_str(), &raw, flags, nullptr);
  SqliteHandle handle(raw, path);  // also owns the half-open connection of a failure
  if (code != SQLITE_OK) return SqliteError(code, path);
  if (sqlite3_db_readonly(raw, "main") == 1) return SqliteError(SQLITE_READONLY, path);
  TRY_DONE(handle.Configure(mode));
  return handle;
}

Result<SqliteHandle> SqliteHandle::OpenInMemory() {
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  SqliteHandle handle(raw, "memory");
  if (code != SQLITE_OK) return SqliteError(code, "memory");
  return handle;
}

Status SqliteHandle::Configure(Mode mode) {
  sqlite3* raw = database_.get();
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, static_cast<int>(kLockTimeout.count()));
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  TRY_DONE(Execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON"));
  TRY_DONE(
      Execute(mode == Mode::kCreate ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = FULL"));
  TRY(const std::string journal, QueryText("PRAGMA journal_mode = WAL"));
  if (journal != "wal") return StorageError("no write-ahead log for", path_, "mode " + journal);
  return Done{};
}

Status SqliteHandle::Execute(const char* sql) {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return SqliteError(code, path_);
  return Done{};
}

Result<SqliteStatement> SqliteHandle::Prepare(std::string_view sql) {
  auto known = statements_.idle.find(sql);
  if (known == statements_.idle.end()) {
    known = statements_.idle.emplace(std::string(sql), IdleStatements()).first;
  }
  IdleStatements& idle = known->second;
  if (!idle.empty()) {
    sqlite3_stmt* const statement = idle.back();
    idle.pop_back();
    return SqliteStatement(statement, idle, path_);
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  // The statements are constants, so an SQL error means that a table or a column is gone.
  if (code == SQLITE_ERROR) return DamageError("its tables are not those of a ledger", path_);
  if (code != SQLITE_OK) return SqliteError(code, path_);
  return SqliteStatement(statement, idle, path_);
}

Result<std::string> SqliteHandle::QueryText(std::string_view sql) {
  TRY(SqliteStatement statement, Prepare(sql));
  TRY(const bool row, statement.Step());
  Check(row, "the statement returns a row");
  return statement.Text(0);
}

Result<std::int64_t> SqliteHandle::QueryInt(std::string_view sql) {
  TRY(SqliteStatement statement, Prepare(sql));
  TRY(const bool row, statement.Step());
  Check(row, "the statement returns a row");
  return statement.Int(0);
}

Status SqliteHandle::CopyTo(const std::string& path) {
  sqlite3* raw = nullptr;
  int code = sqlite3_open_v2(FileName(path).c_str(), &raw,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteHandle copy(raw, path);  // also owns the half-open connection of a failure
  if (code != SQLITE_OK) return SqliteError(code, path);
  TRY_DONE(copy.Execute("PRAGMA synchronous = FULL"));
  sqlite3_backup* const backup = sqlite3_backup_init(raw, "main", database_.get(), "main");
  if (backup == nullptr) return SqliteError(sqlite3_errcode(raw), path);
  const int copied = sqlite3_backup_step(backup, -1);  // all pages
  code = sqlite3_backup_finish(backup);
  if (copied != SQLITE_DONE) return SqliteError(copied, path);
  if (code != SQLITE_OK) return SqliteError(code, path);
  return Done{};
}

Result<bool> SqliteHandle::HasMoved() {
  int moved = 0;
  const int code = sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (code != SQLITE_OK) return SqliteError(code, path_);
  return moved != 0;
}

Result<SqliteTransaction> SqliteTransaction::BeginImmediate(SqliteHandle& database) {
  TRY_DONE(database.Execute("BEGIN IMMEDIATE"));
  return SqliteTransaction(database);
}

Result<SqliteTransaction> SqliteTransaction::BeginRead(SqliteHandle& database) {
  TRY_DONE(database.Execute("BEGIN DEFERRED"));
  return SqliteTransaction(database);
}

SqliteTransaction::~SqliteTransaction() {
  // A failed rollback leaves the transaction open, and the next BEGIN says so.
  if (database_ != nullptr) static_cast<void>(database_->Execute("ROLLBACK"));
}

Status SqliteTransaction::Commit() {
  TRY_DONE(database_->Execute("COMMIT"));
  database_ = nullptr;
  return Done{};
}

}  // namespace dpsql
