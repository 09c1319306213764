#include "backend/duckdb_handles.h"
#include "backend/make_database.h"
#include "base/error_codes.h"

namespace dpsql {

Status MakeDatabase(const std::string& path, const std::string& sql) {
  DuckDbDatabase database;
  std::string problem = database.Open(path, {});
  if (problem.empty()) {
    Guard<duckdb_connection, duckdb_disconnect> connection;
    Guard<duckdb_result, duckdb_destroy_result> result;
    const bool made = duckdb_connect(database.handle(), &connection.handle) == DuckDBSuccess &&
                      duckdb_query(connection.handle, sql.c_str(), &result.handle) == DuckDBSuccess;
    if (made) return Done{};
    const char* words = duckdb_result_error(&result.handle);
    problem = words != nullptr ? words : "no connection";
  }
  return MakeError(ErrorCode::kDatabaseOpen, path + " cannot be written: " + problem);
}

}  // namespace dpsql
