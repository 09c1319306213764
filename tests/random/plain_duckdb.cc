#include "random/plain_duckdb.h"

#include <stdexcept>

#include "support/reference_duckdb.h"

namespace dpsql {

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
  std::vector<std::vector<Value>> rows;
  if (done) rows = ReadRows(result);
  duckdb_destroy_result(&result);
  if (!done) throw std::runtime_error("plain DuckDB: " + problem + "\n" + sql);
  return rows;
}

}  // namespace dpsql
