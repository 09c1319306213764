#include "backend/duckdb_list.h"

#include <algorithm>
#include <utility>

#include "backend/data_files.h"
#include "backend/duckdb_files.h"
#include "backend/duckdb_open.h"
#include "backend/duckdb_schema.h"
#include "backend/text_columns.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {
namespace {

// One row for each column of a constraint, in order.
constexpr const char* kForeignKeys =
    "SELECT table_name, CAST(constraint_index AS BIGINT), unnest(range(len("
    "constraint_column_names))), referenced_table, unnest(constraint_column_names), "
    "unnest(referenced_column_names) FROM duckdb_constraints() "
    "WHERE database_name = current_database() AND schema_name = 'main' "
    "AND constraint_type = 'FOREIGN KEY' ORDER BY ALL";

std::vector<ForeignKey> KeysOf(const std::vector<std::vector<Value>>& rows) {
  std::vector<ForeignKey> keys;
  for (const std::vector<Value>& row : rows) {
    if (std::get<std::int64_t>(row[2]) == 0) {
      keys.push_back({.table = std::get<std::string>(row[0]),
                      .columns = {},
                      .parent_table = std::get<std::string>(row[3]),
                      .parent_columns = {}});
    }
    keys.back().columns.push_back(std::get<std::string>(row[4]));
    keys.back().parent_columns.push_back(std::get<std::string>(row[5]));
  }
  return keys;
}

// Parquet's own names and types, from the footer.
Result<SchemaTable> ListParquet(const TableFiles& table, const std::string& policy_file,
                                IncidentLog& incidents) {
  DuckDbDatabase database;
  const std::string words = database.Open(":memory:", {{"threads", "1"}});
  if (!words.empty()) return RunError({.text = words}, incidents);
  DuckDbConnection connection(database);
  const auto nothing = [](const DuckDbChunk&) {};
  for (const std::string& sql : {AllowFiles({table}), std::string("SET enable_external_access = "
                                                                  "false")}) {
    if (const auto failure = connection.Run(sql, nothing)) return RunError(*failure, incidents);
  }
  TRY_DONE(CheckSameColumns(table, policy_file, connection));
  Schema schema;
  auto failure = connection.Run(FileView(table, {}), nothing);
  if (!failure) failure = ReadDuckDbSchema(database, "memory", schema);
  if (failure) return RunError(*failure, incidents);
  schema.tables.at(0).is_view = false;
  return std::move(schema.tables.at(0));
}

Result<std::vector<std::string>> TextColumns(const TableFiles& table,
                                             const std::string& policy_file) {
  if (table.format == SourceFormat::kJsonLines) return ReadJsonKeys(table.files[0].path);
  TRY(std::vector<std::string> names, CsvColumns(table, policy_file));
  TRY_DONE(CheckColumnNames(names));
  return names;
}

}  // namespace

Result<Listing> ListDuckDb(const std::string& path, IncidentLog& incidents) {
  DuckDbData data(path, incidents);
  TRY_DONE(data.Open(Policy{}));
  TRY(Schema schema, data.ReadSchema());
  std::vector<std::vector<Value>> rows;
  constexpr std::size_t kColumns = 6;
  DuckDbConnection connection(data.database());
  if (const auto failure = connection.ReadRows(kForeignKeys, kColumns, rows)) {
    return RunError(*failure, incidents);
  }
  return Listing{.schema = std::move(schema), .foreign_keys = KeysOf(rows)};
}

Result<Listing> ListFiles(const Policy& policy, IncidentLog& incidents) {
  TRY(const std::vector<TableFiles> all, FindTableFiles(policy));
  Listing listing;
  for (const TableFiles& files : all) {
    if (files.format == SourceFormat::kParquet) {
      TRY(SchemaTable table, ListParquet(files, policy.file, incidents));
      listing.schema.tables.push_back(std::move(table));
      continue;
    }
    auto names = TextColumns(files, policy.file);
    if (!names) {
      Error error = std::move(names).error();
      error.message = files.shown[0] + ": " + error.message;
      return error;
    }
    SchemaTable table{.name = files.table->name};
    for (std::string& name : *names) {
      table.columns.push_back({.name = std::move(name), .type = ParseType("VARCHAR")});
    }
    listing.schema.tables.push_back(std::move(table));
  }
  return listing;
}

}  // namespace dpsql
