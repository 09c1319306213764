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

  // Truth values as bool, whole numbers of up to 64 bits as int64, DOUBLE as double, the rest as
  // text.
  std::vector<std::vector<Value>> Rows(const std::string& sql);

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace dpsql
