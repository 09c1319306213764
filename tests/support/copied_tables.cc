#include "support/copied_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "sql/dialect.h"
#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

std::string Text(const Value& value) { return std::get<std::string>(value); }

bool IsMachineType(const std::string& type) {
  constexpr auto kTypes = std::to_array<std::string_view>(
      {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE"});
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

}  // namespace

bool IsCollatedInCopies(const CopiedTable& table, const CopiedTable::Column& column) {
  const auto has_it = [&](const std::vector<std::string>& key) {
    return std::find(key.begin(), key.end(), column.name) != key.end();
  };
  // In the policies of tests these tell whose a row is: with a collation they would be refused.
  static const std::set<std::string> kOwners = {"id", "person_id", "visitor", "who"};
  return column.type == "VARCHAR" && !kOwners.contains(column.name) &&
         std::none_of(table.keys.begin(), table.keys.end(), has_it);
}

CopiedDatabase ReadDatabase(const std::string& duckdb_file) {
  CopiedDatabase database{.file = duckdb_file, .tables = {}};
  std::vector<CopiedTable>& tables = database.tables;
  for (const auto& row : QueryReference(
           duckdb_file, "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY 1")) {
    tables.push_back({.name = Text(row[0]), .columns = {}, .keys = {}, .rows = {}});
  }
  for (CopiedTable& table : tables) {
    const std::string where =
        " WHERE table_name = " + DuckDbDialect().QuoteString(table.name) + " ORDER BY 1";
    for (const auto& row : QueryReference(
             duckdb_file,
             "SELECT column_index, column_name, data_type, is_nullable FROM duckdb_columns()" +
                 where)) {
      table.columns.push_back({Text(row[1]), Text(row[2]), std::get<bool>(row[3])});
    }
    std::map<std::int64_t, std::vector<std::string>> keys;
    for (const auto& row : QueryReference(
             duckdb_file,
             "SELECT CAST(constraint_index AS BIGINT), unnest(constraint_column_names) FROM (FROM "
             "duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE') AND "
             "table_name = " +
                 DuckDbDialect().QuoteString(table.name) + ")")) {
      keys[std::get<std::int64_t>(row[0])].push_back(Text(row[1]));
    }
    for (auto& [index, key] : keys) table.keys.push_back(std::move(key));
    std::string items;
    for (const CopiedTable::Column& column : table.columns) {
      const std::string name = DuckDbDialect().QuoteIdentifier(column.name);
      items += (items.empty() ? "" : ", ") +
               (IsMachineType(column.type) ? name : "CAST(" + name + " AS VARCHAR)");
    }
    table.rows = QueryReference(
        duckdb_file, "SELECT " + items + " FROM " + DuckDbDialect().QuoteIdentifier(table.name));
  }
  return database;
}

}  // namespace dpsql
