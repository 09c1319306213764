#pragma once

#include <duckdb.h>

#include <string>
#include <vector>

#include "dpsql/value.h"

namespace dpsql {

// A DuckDB in memory that knows nothing of privacy: what is asked here is the exact answer.
class PlainDuckDb {
 public:
  // Runs the statements first. Throws std::runtime_error with DuckDB's words, as Rows does.
  explicit PlainDuckDb(const std::string& sql);
  ~PlainDuckDb();
  PlainDuckDb(const PlainDuckDb&) = delete;
  PlainDuckDb& operator=(const PlainDuckDb&) = delete;

  // As ReadRows gives them (support/reference_duckdb.h).
  std::vector<std::vector<Value>> Rows(const std::string& sql);

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace dpsql
