#include "backend/sqlite_connection.h"
#include "backend/run_error.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "account/sqlite_library.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

// What the dialect prints, and nothing that reads a file, loads code or tells about this program.
// clang-format off
constexpr auto kFunctions = std::to_array<std::string_view>({
    "abs",             "avg",           "char",         "coalesce",       "count",
    "cume_dist",       "date",          "dense_rank",   "dpsql_ascii",    "dpsql_bigint",
    "dpsql_boolean",   "dpsql_date",    "dpsql_double", "dpsql_greatest", "dpsql_least",
    "dpsql_like",      "dpsql_matches", "dpsql_other",  "dpsql_rows",     "dpsql_sum",
    "dpsql_timestamp", "dpsql_varchar", "first_value",  "instr",          "julianday",
    "lag",             "last_value",    "lead",         "length",         "lower",
    "ltrim",           "max",           "min",          "nth_value",      "ntile",
    "nullif",          "percent_rank",  "rank",         "replace",        "row_number",
    "rtrim",           "strftime",      "substr",       "trim",           "typeof",
});
// clang-format on

// A leading "./" keeps SQLite's special names (":memory:", "file:") from meaning anything but a
// file.
std::string FileName(const std::string& path) { return path.starts_with('/') ? path : "./" + path; }

Error OpenError(int code, const std::string& words, const std::string& path,
                IncidentLog& incidents) {
  if (!std::filesystem::exists(path)) {
    return MakeError(ErrorCode::kDatabaseOpen, "there is no database file " + path, {},
                     "give the path of an SQLite file");
  }
  if ((code & 0xff) == SQLITE_NOTADB) {
    return MakeError(ErrorCode::kDatabaseOpen, path + " is not an SQLite file");
  }
  return MakeError(ErrorCode::kDatabaseOpen,
                   path + " cannot be opened (incident " + incidents.Record(words) + ")", {},
                   "is another program writing to it, or did one die there?");
}

}  // namespace

bool SqliteRow::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t SqliteRow::Whole(int column) const { return sqlite3_column_int64(statement_, column); }

std::string SqliteRow::Text(int column) const {
  const auto* text = sqlite3_column_text(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return text == nullptr ? "" : std::string(reinterpret_cast<const char*>(text), size);
}

Value SqliteRow::Read(int column, TypeFamily family) const {
  const int type = sqlite3_column_type(statement_, column);
  switch (family) {
    case TypeFamily::kBoolean:
      return type == SQLITE_INTEGER ? Value(Whole(column) != 0) : Value();
    case TypeFamily::kInteger:
      return type == SQLITE_INTEGER ? Value(Whole(column)) : Value();
    case TypeFamily::kFloat:
      if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return {};
      return sqlite3_column_double(statement_, column);
    default:
      return type == SQLITE_TEXT ? Value(Text(column)) : Value();
  }
}

Error SqliteRunError(const SqliteFailure& failure, IncidentLog& incidents) {
  return RunError(failure.interrupted, failure.text, incidents);
}

// What SQLite calls while it works.
struct SqliteCallbacks {
  // Two words on the action, the database, and the view that it stands in.
  template <typename... Words>
  static int Authorize(void* owner, int action, Words... words) {
    const std::array<const char*, sizeof...(words)> all = {words...};
    const auto text = [&](std::size_t i) {
      return std::string_view(all.at(i) != nullptr ? all.at(i) : "");
    };
    switch (action) {
      case SQLITE_SELECT:
        return SQLITE_OK;
      case SQLITE_FUNCTION:
        return std::find(kFunctions.begin(), kFunctions.end(), text(1)) != kFunctions.end()
                   ? SQLITE_OK
                   : SQLITE_DENY;
      case SQLITE_READ:
        return static_cast<const SqliteConnection*>(owner)->MayRead(text(0), text(1), text(2))
                   ? SQLITE_OK
                   : SQLITE_DENY;
      default:
        return SQLITE_DENY;
    }
  }

  static int Progress(void* owner) {
    return static_cast<SqliteConnection*>(owner)->MustStop() ? 1 : 0;
  }

  // Another program writes: waits for it, for five seconds at most.
  static int Busy(void* owner, int count) {
    constexpr int kPause = 10;  // milliseconds
    constexpr int kMostPauses = 500;
    if (static_cast<SqliteConnection*>(owner)->interrupted_ || count >= kMostPauses) return 0;
    sqlite3_sleep(kPause);
    return 1;
  }
};

// A compiled statement, until the end of the block.
struct SqliteConnection::Statement {
  ~Statement() { sqlite3_finalize(handle); }
  int Prepare(sqlite3* connection, const std::string& sql) {
    return sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &handle,
                              nullptr);
  }
  sqlite3_stmt* handle = nullptr;
};

SqliteConnection::~SqliteConnection() { sqlite3_close(handle_); }

SqliteFailure SqliteConnection::Failure() const {
  return {.interrupted = interrupted_ && !over_memory_,
          .out_of_memory = over_memory_,
          .text = over_memory_ ? "SQLite needs more memory than the policy allows"
                               : sqlite3_errmsg(handle_)};
}

bool SqliteConnection::MustStop() {
  over_memory_ = static_cast<std::size_t>(sqlite3_memory_used()) > memory_limit_;
  return over_memory_ || interrupted_;
}

void SqliteConnection::Interrupt() {
  interrupted_ = true;
  sqlite3_interrupt(handle_);
}

// All of it before the first statement that reads.
bool SqliteConnection::Configure() {
  constexpr int kStepsBetweenLooks = 10'000;
  const auto set = [&](int option, int value) {
    return sqlite3_db_config(handle_, option, value, nullptr) == SQLITE_OK;
  };
  const bool set_all =
      set(SQLITE_DBCONFIG_DEFENSIVE, 1) && set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0) &&
      set(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0) && set(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) &&
      set(SQLITE_DBCONFIG_ENABLE_VIEW, 0) && set(SQLITE_DBCONFIG_DQS_DML, 0) &&
      set(SQLITE_DBCONFIG_DQS_DDL, 0);
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_limit(handle_, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(handle_, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_busy_handler(handle_, SqliteCallbacks::Busy, this);
  sqlite3_progress_handler(handle_, kStepsBetweenLooks, SqliteCallbacks::Progress, this);
  constexpr const char* kPragmas =
      "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0";
  return set_all && AddSqliteFunctions(handle_, &taker_) &&
         sqlite3_exec(handle_, kPragmas, nullptr, nullptr, nullptr) == SQLITE_OK;
}

Result<std::shared_ptr<SqliteConnection>> SqliteConnection::Open(const std::string& path,
                                                                 IncidentLog& incidents) {
  if (!SqliteCanBeAsked()) {
    return MakeError(ErrorCode::kDatabaseOpen,
                     "SQLite " + SqliteLibraryVersion() + " is too old to be asked", {},
                     "install SQLite 3.39 or newer");
  }
  const std::shared_ptr<SqliteConnection> opened(new SqliteConnection());
  constexpr int kFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const int code = sqlite3_open_v2(FileName(path).c_str(), &opened->handle_, kFlags, nullptr);
  if (code != SQLITE_OK || !opened->Configure()) {
    return OpenError(code, sqlite3_errmsg(opened->handle_), path, incidents);
  }
  std::string encoding;
  const auto failure =
      opened->Run("PRAGMA encoding", [&](const SqliteRow& row) { encoding = row.Text(0); });
  if (failure) return OpenError(sqlite3_errcode(opened->handle_), failure->text, path, incidents);
  if (encoding != "UTF-8") {
    return MakeError(ErrorCode::kDatabaseOpen, path + " holds its texts in " + encoding, {},
                     "copy it to a database in UTF-8: texts must compare by their bytes");
  }
  return opened;
}

std::shared_ptr<SqliteConnection> SqliteConnection::OpenEmpty(
    const std::vector<SchemaTable>& tables) {
  std::shared_ptr<SqliteConnection> opened(new SqliteConnection());
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  Check(sqlite3_open_v2(":memory:", &opened->handle_, kFlags, nullptr) == SQLITE_OK &&
            opened->Configure(),
        "SQLite opens a database in memory");
  const Dialect& dialect = SqliteDialect();
  for (const SchemaTable& table : tables) {
    std::string columns;
    for (const SchemaColumn& column : table.columns) {
      columns += (columns.empty() ? "" : ", ") + dialect.QuoteIdentifier(column.name);
    }
    const auto failure =
        opened->Run("CREATE TABLE " + dialect.QuoteIdentifier(table.name) + " (" + columns + ")",
                    [](const SqliteRow&) {});
    Check(!failure, "a table can be made with the names of another");
  }
  return opened;
}

std::optional<SqliteFailure> SqliteConnection::Freeze(std::int64_t& schema_version) {
  const auto nothing = [](const SqliteRow&) {};
  if (auto failure = Run("BEGIN DEFERRED", nothing)) return failure;
  // The first read takes the snapshot.
  if (auto failure = Run("SELECT count(*) FROM sqlite_schema", nothing)) return failure;
  return Run("PRAGMA schema_version", [&](const SqliteRow& row) { schema_version = row.Whole(0); });
}

std::optional<SqliteFailure> SqliteConnection::DataVersion(std::int64_t& version) {
  return Run("PRAGMA data_version", [&](const SqliteRow& row) { version = row.Whole(0); });
}

// A table of which no column is read, and that stands without its schema, has no database: a query
// in WITH that has a table's name, and a release.
bool SqliteConnection::MayRead(std::string_view table, std::string_view column,
                               std::string_view database) const {
  const bool unread = database.empty() && column.empty();
  if (table.starts_with("(release ")) return database == "temp" || unread;
  return tables_.contains(ToLower(table)) && (database == "main" || unread);
}

void SqliteConnection::Guard() {
  using Word = const char*;
  sqlite3_set_authorizer(handle_, SqliteCallbacks::Authorize<Word, Word, Word, Word>, this);
}

void SqliteConnection::Restrict(const std::set<std::string>& tables) {
  for (const std::string& table : tables) tables_.insert(ToLower(table));
  Guard();
}

bool SqliteConnection::ComparesByBytes(const std::string& table, const std::string& column) const {
  const char* collation = nullptr;
  const int code = sqlite3_table_column_metadata(handle_, "main", table.c_str(), column.c_str(),
                                                 nullptr, &collation, nullptr, nullptr, nullptr);
  return code == SQLITE_OK && collation != nullptr && ToUpper(collation) == "BINARY";
}

std::string SqliteConnection::Compile(const std::string& sql) {
  Statement statement;
  return statement.Prepare(handle_, sql) == SQLITE_OK ? "" : sqlite3_errmsg(handle_);
}

std::optional<SqliteFailure> SqliteConnection::Run(
    const std::string& sql, const std::function<void(const SqliteRow&)>& consume) {
  over_memory_ = false;
  if (interrupted_) return SqliteFailure{.interrupted = true, .text = "interrupted"};
  Statement statement;
  if (statement.Prepare(handle_, sql) != SQLITE_OK) return Failure();
  int code = SQLITE_OK;
  while ((code = sqlite3_step(statement.handle)) == SQLITE_ROW) {
    consume(SqliteRow(statement.handle));
  }
  if (code != SQLITE_DONE) return Failure();
  return std::nullopt;
}

std::optional<SqliteFailure> SqliteConnection::HandOver(const std::string& sql,
                                                        SqliteRowTaker& taker, std::int64_t& rows) {
  taker_ = &taker;
  auto failure = Run(sql, [&](const SqliteRow& row) { rows = row.Whole(0); });
  taker_ = nullptr;
  return failure;
}

namespace {

// A value as a column of this type has it; texts of whole numbers that are wider than a machine's
// are the numbers.
int Bind(sqlite3_stmt* statement, int place, const Value& value, const Type& type) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    return sqlite3_bind_int(statement, place, *flag ? 1 : 0);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return type.family == TypeFamily::kFloat
               ? sqlite3_bind_double(statement, place, static_cast<double>(*whole))
               : sqlite3_bind_int64(statement, place, *whole);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return sqlite3_bind_double(statement, place, *real);
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return sqlite3_bind_null(statement, place);
  const char* const end = text->data() + text->size();
  std::int64_t whole = 0;
  if (type.family == TypeFamily::kDecimal) {
    const auto [stop, error] = std::from_chars(text->data(), end, whole);
    if (error == std::errc() && stop == end) return sqlite3_bind_int64(statement, place, whole);
    double real = 0;
    std::from_chars(text->data(), end, real);
    return sqlite3_bind_double(statement, place, real);
  }
  return sqlite3_bind_text64(statement, place, text->data(), text->size(), SQLITE_TRANSIENT,
                             SQLITE_UTF8);
}

}  // namespace

std::optional<SqliteFailure> SqliteConnection::Add(const PublicTable& release) {
  sqlite3_set_authorizer(handle_, nullptr, nullptr);  // these statements are ours alone
  auto failure = Insert(release);
  if (!tables_.empty()) Guard();
  return failure;
}

std::optional<SqliteFailure> SqliteConnection::Insert(const PublicTable& release) {
  const Dialect& dialect = SqliteDialect();
  const std::string name = "temp." + dialect.QuoteIdentifier(release.name);
  std::string columns;
  std::string places;
  for (const PublicTable::Column& column : release.columns) {
    columns += (columns.empty() ? "" : ", ") + dialect.QuoteIdentifier(column.name);
    places += places.empty() ? "?" : ", ?";
  }
  const auto nothing = [](const SqliteRow&) {};
  if (auto failure = Run("CREATE TABLE " + name + " (" + columns + ")", nothing)) return failure;
  Statement insert;
  if (insert.Prepare(handle_, "INSERT INTO " + name + " VALUES (" + places + ")") != SQLITE_OK) {
    return Failure();
  }
  for (const std::vector<Value>& row : release.rows) {
    for (std::size_t i = 0; i < release.columns.size(); ++i) {
      const int code =
          Bind(insert.handle, static_cast<int>(i + 1), row.at(i), release.columns[i].type);
      if (code != SQLITE_OK) return Failure();
    }
    if (sqlite3_step(insert.handle) != SQLITE_DONE) return Failure();
    sqlite3_reset(insert.handle);
  }
  return std::nullopt;
}

}  // namespace dpsql
