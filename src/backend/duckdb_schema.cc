#include "backend/duckdb_schema.h"

#include <future>
#include <map>
#include <string>
#include <utility>

#include "base/names.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

// Each follows a table `scope (database_name)` of one row.
constexpr const char* kTables =
    "SELECT table_name, FALSE, coalesce(sql, '') FROM duckdb_tables() JOIN scope USING "
    "(database_name) WHERE schema_name = 'main' AND NOT internal "
    "UNION ALL SELECT view_name, TRUE, '' FROM duckdb_views() JOIN scope USING (database_name) "
    "WHERE schema_name = 'main' AND NOT internal ORDER BY ALL";

constexpr const char* kColumns =
    "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns() JOIN scope USING "
    "(database_name) WHERE schema_name = 'main' AND NOT internal "
    "ORDER BY table_name, column_index";

constexpr const char* kUniqueKeys =
    "SELECT table_name, CAST(constraint_index AS VARCHAR), unnest(constraint_column_names) "
    "FROM duckdb_constraints() JOIN scope USING (database_name) WHERE schema_name = 'main' "
    "AND constraint_type IN ('PRIMARY KEY', 'UNIQUE') ORDER BY ALL";

constexpr const char* kMacros =
    "SELECT DISTINCT function_name FROM duckdb_functions() JOIN scope USING (database_name) "
    "WHERE NOT internal ORDER BY ALL";

class SchemaReader {
 public:
  SchemaReader(DuckDbConnection& connection, DuckDbConnection& second, const std::string& database,
               Schema& schema)
      : connection_(connection),
        second_(second),
        scope_("WITH scope (database_name) AS (VALUES (" + DuckDbDialect().QuoteString(database) +
               ")) "),
        schema_(schema) {}

  // DuckDB takes as long to list its own functions, among which macros stand, as for all the rest:
  // a second connection asks for them meanwhile.
  std::optional<DuckDbFailure> Read() {
    std::future<std::optional<DuckDbFailure>> macros =
        std::async(std::launch::async | std::launch::deferred, [&] { return ReadMacros(); });
    std::optional<DuckDbFailure> failure = ReadTables();
    std::optional<DuckDbFailure> macro_failure = macros.get();
    return failure ? failure : macro_failure;
  }

 private:
  std::optional<DuckDbFailure> ReadMacros() {
    return ForEachRow(second_, kMacros, [&](const DuckDbChunk& chunk, std::size_t row) {
      schema_.macros.push_back(chunk.Text(0, row));
    });
  }

  std::optional<DuckDbFailure> ReadTables() {
    if (auto failure =
            ForEachRow(connection_, kTables,
                       [&](const DuckDbChunk& chunk, std::size_t row) { AddTable(chunk, row); })) {
      return failure;
    }
    if (auto failure =
            ForEachRow(connection_, kColumns,
                       [&](const DuckDbChunk& chunk, std::size_t row) { AddColumn(chunk, row); })) {
      return failure;
    }
    if (auto failure =
            ForEachRow(connection_, kUniqueKeys, [&](const DuckDbChunk& chunk, std::size_t row) {
              keys_[{chunk.Text(0, row), chunk.Text(1, row)}].push_back(chunk.Text(2, row));
            })) {
      return failure;
    }
    for (auto& [name, columns] : keys_) {
      if (SchemaTable* table = Find(name.first)) table->unique_keys.push_back(std::move(columns));
    }
    return std::nullopt;
  }

  template <typename Visit>
  std::optional<DuckDbFailure> ForEachRow(DuckDbConnection& connection, const char* sql,
                                          Visit visit) {
    return connection.Run(scope_ + sql, [&](const DuckDbChunk& chunk) {
      for (std::size_t row = 0; row < chunk.size(); ++row) visit(chunk, row);
    });
  }

  SchemaTable* Find(const std::string& name) {
    for (SchemaTable& table : schema_.tables) {
      if (table.name == name) return &table;
    }
    return nullptr;
  }

  // DuckDB's catalogue has no field for collations and generated columns; the text of CREATE TABLE
  // has. A word that stands there for another reason refuses a table too many, never one too few.
  void AddTable(const DuckDbChunk& chunk, std::size_t row) {
    const std::string sql = ToUpper(chunk.Text(2, row));
    schema_.tables.push_back(
        {.name = chunk.Text(0, row),
         .is_view = chunk.Flag(1, row),
         .has_collation = sql.find("COLLATE") != std::string::npos,
         .has_generated_column = sql.find("GENERATED ALWAYS") != std::string::npos});
  }

  void AddColumn(const DuckDbChunk& chunk, std::size_t row) {
    if (SchemaTable* table = Find(chunk.Text(0, row))) {
      table->columns.push_back({.name = chunk.Text(1, row),
                                .type = ParseType(chunk.Text(2, row)),
                                .nullable = chunk.Flag(3, row)});
    }
  }

  DuckDbConnection& connection_;
  DuckDbConnection& second_;
  std::string scope_;
  Schema& schema_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> keys_;
};

}  // namespace

std::optional<DuckDbFailure> ReadDuckDbSchema(const DuckDbDatabase& opened,
                                              const std::string& database, Schema& schema) {
  DuckDbConnection connection(opened);
  DuckDbConnection second(opened);
  return SchemaReader(connection, second, database, schema).Read();
}

}  // namespace dpsql
