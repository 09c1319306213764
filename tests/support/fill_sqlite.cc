#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

#include "sql/dialect.h"
#include "support/conformance_engines.h"

namespace dpsql {
namespace {

enum class Stored { kAsIs, kDouble };

struct SqliteColumn {
  std::string declared;
  Stored stored = Stored::kAsIs;
};

SqliteColumn ColumnOf(const std::string& type) {
  if (type.starts_with("DECIMAL(") && type.ends_with(')')) return {type, Stored::kDouble};
  if (type == "HUGEINT" || type == "UBIGINT" || type == "UHUGEINT") {
    return {"NUMERIC", Stored::kDouble};
  }
  for (const char* same : {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DOUBLE", "FLOAT",
                           "VARCHAR", "DATE", "TIMESTAMP", "UUID"}) {
    if (type == same) return {type, Stored::kAsIs};
  }
  return {"BLOB", Stored::kAsIs};
}

// NaN is NULL in SQLite.
bool MayBeNull(const CopiedTable::Column& column) {
  return column.nullable || column.type == "DOUBLE" || column.type == "FLOAT";
}

class SqliteFile {
 public:
  explicit SqliteFile(const std::string& path) {
    Expect(sqlite3_open(path.c_str(), &handle_) == SQLITE_OK);
  }
  ~SqliteFile() { sqlite3_close(handle_); }
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  void Run(const std::string& sql) {
    Expect(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  }

  void Make(const CopiedTable& table) {
    const Dialect& dialect = SqliteDialect();
    std::string columns;
    std::string places;
    for (const CopiedTable::Column& column : table.columns) {
      columns += (columns.empty() ? "" : ", ") + dialect.QuoteIdentifier(column.name) + " " +
                 ColumnOf(column.type).declared + (MayBeNull(column) ? "" : " NOT NULL") +
                 (IsCollatedInCopies(table, column) ? " COLLATE NOCASE" : "");
      places += places.empty() ? "?" : ", ?";
    }
    for (const std::vector<std::string>& key : table.keys) {
      columns += &key == &table.keys[0] ? ", PRIMARY KEY (" : ", UNIQUE (";
      for (const std::string& name : key) {
        columns += (&name == &key[0] ? "" : ", ") + dialect.QuoteIdentifier(name);
      }
      columns += ")";
    }
    const std::string name = dialect.QuoteIdentifier(table.name);
    Run("CREATE TABLE " + name + " (" + columns + ")");
    sqlite3_stmt* insert = nullptr;
    const std::string sql = "INSERT INTO " + name + " VALUES (" + places + ")";
    Expect(sqlite3_prepare_v2(handle_, sql.c_str(), -1, &insert, nullptr) == SQLITE_OK);
    for (const std::vector<Value>& row : table.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        Bind(insert, static_cast<int>(i + 1), row[i], ColumnOf(table.columns[i].type).stored);
      }
      Expect(sqlite3_step(insert) == SQLITE_DONE);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
  }

 private:
  void Expect(bool done) {
    if (done) return;
    std::fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(handle_));
    std::exit(1);
  }

  void Bind(sqlite3_stmt* insert, int place, const Value& value, Stored stored) {
    const auto* text = std::get_if<std::string>(&value);
    if (IsNull(value)) {
      Expect(sqlite3_bind_null(insert, place) == SQLITE_OK);
    } else if (text != nullptr && stored == Stored::kDouble) {
      Expect(sqlite3_bind_double(insert, place, std::strtod(text->c_str(), nullptr)) == SQLITE_OK);
    } else if (text != nullptr) {
      Expect(sqlite3_bind_text64(insert, place, text->data(), text->size(), SQLITE_TRANSIENT,
                                 SQLITE_UTF8) == SQLITE_OK);
    } else if (const auto* real = std::get_if<double>(&value)) {
      Expect(sqlite3_bind_double(insert, place, *real) == SQLITE_OK);
    } else if (const auto* flag = std::get_if<bool>(&value)) {
      Expect(sqlite3_bind_int(insert, place, *flag ? 1 : 0) == SQLITE_OK);
    } else {
      Expect(sqlite3_bind_int64(insert, place, std::get<std::int64_t>(value)) == SQLITE_OK);
    }
  }

  sqlite3* handle_ = nullptr;
};

}  // namespace

std::optional<std::string> FillSqlite(const CopiedDatabase& database, const std::string& folder) {
  const std::string path = folder + "/copy.sqlite";
  SqliteFile file(path);
  file.Run("BEGIN");
  for (const CopiedTable& table : database.tables) file.Make(table);
  file.Run("COMMIT");
  return "sqlite:" + path;
}

}  // namespace dpsql
