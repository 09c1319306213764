#include "random/plain_duckdb.h"

#include <stdexcept>

namespace dpsql {
namespace {

Value ReadCell(duckdb_result& result, idx_t column, idx_t row) {
  if (duckdb_value_is_null(&result, column, row)) return std::monostate{};
  switch (duckdb_column_type(&result, column)) {
    case DUCKDB_TYPE_BOOLEAN:
      return duckdb_value_boolean(&result, column, row);
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
      return duckdb_value_int64(&result, column, row);
    case DUCKDB_TYPE_DOUBLE:
      return duckdb_value_double(&result, column, row);
    default:
      break;
  }
  char* text = duckdb_value_varchar(&result, column, row);
  std::string copy = text != nullptr ? text : "";
  duckdb_free(text);
  return copy;
}

}  // namespace

PlainDuckDb::PlainDuckDb(const std::string& sql) {
  if (duckdb_open(nullptr, &database_) != DuckDBSuccess ||
      duckdb_connect(database_, &connection_) != DuckDBSuccess) {
    throw std::runtime_error("DuckDB does not open a database in memory");
  }
  Rows("SET threads = 1");
  // What a text says, and not what DuckDB's optimizer makes of it: both must not err alike.
  Rows("PRAGMA disable_optimizer");
  Rows(sql);
}

PlainDuckDb::~PlainDuckDb() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

std::vector<std::vector<Value>> PlainDuckDb::Rows(const std::string& sql) {
  duckdb_result result;
  const bool done = duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
  const char* words = done ? nullptr : duckdb_result_error(&result);
  const std::string problem = words != nullptr ? words : "failed";
  std::vector<std::vector<Value>> rows(done ? duckdb_row_count(&result) : 0);
  for (idx_t row = 0; row < rows.size(); ++row) {
    for (idx_t column = 0; column < duckdb_column_count(&result); ++column) {
      rows[row].push_back(ReadCell(result, column, row));
    }
  }
  duckdb_destroy_result(&result);
  if (!done) throw std::runtime_error("plain DuckDB: " + problem + "\n" + sql);
  return rows;
}

}  // namespace dpsql
