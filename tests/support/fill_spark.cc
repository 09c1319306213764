#include <array>
#include <cstdlib>

#include "backend/adbc_driver.h"
#include "sql/dialect.h"
#include "support/conformance_engines.h"
#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

// A column as a type that Parquet and Spark both have.
std::string Written(const CopiedTable::Column& column) {
  constexpr auto kSame = std::to_array<std::string_view>(
      {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE", "VARCHAR", "DATE",
       "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"});
  const std::string name = DuckDbDialect().QuoteIdentifier(column.name);
  const std::string& type = column.type;
  const auto as = [&](const std::string& other) {
    return "CAST(" + name + " AS " + other + ") AS " + name;
  };
  for (const std::string_view same : kSame) {
    if (type == same) return name;
  }
  if (type.starts_with("DECIMAL(") && type.ends_with(')')) return name;
  if (type == "UBIGINT") return as("DECIMAL(20, 0)");
  if (type == "HUGEINT" || type == "UHUGEINT") return as("DOUBLE");
  if (type == "UUID") return as("VARCHAR");
  return "'?'::BLOB AS " + name;
}

}  // namespace

std::optional<std::string> FillSpark(const CopiedDatabase& database, const std::string& folder) {
  const char* const server = std::getenv("DPSQL_TEST_SPARK");
  if (server == nullptr || *server == '\0') return std::nullopt;
  if (FindAdbcDriver("spark").path.empty()) return std::nullopt;
  for (const CopiedTable& table : database.tables) {
    std::string columns;
    for (const CopiedTable::Column& column : table.columns) {
      columns += (columns.empty() ? "" : ", ") + Written(column);
    }
    const std::string path = folder + "/" + table.name + ".parquet";
    QueryReference(database.file, "COPY (SELECT " + columns + " FROM " +
                                      DuckDbDialect().QuoteIdentifier(table.name) + ") TO " +
                                      DuckDbDialect().QuoteString(path) + " (FORMAT parquet)");
  }
  return "spark://" + std::string(server);
}

}  // namespace dpsql
