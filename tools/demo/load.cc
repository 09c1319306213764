// Runs a file of SQL in a new DuckDB file: how the demo and the tests make their data.
#include <duckdb.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace {

int Fail(const std::string& message) {
  std::fprintf(stderr, "duckdb-load: %s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return Fail("usage: duckdb-load DATABASE SQL-FILE");
  std::ifstream file(argv[2]);
  std::ostringstream sql;
  if (!file || !(sql << file.rdbuf())) return Fail(std::string("cannot read ") + argv[2]);
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  char* open_error = nullptr;
  if (duckdb_open_ext(argv[1], &database, nullptr, &open_error) != DuckDBSuccess ||
      duckdb_connect(database, &connection) != DuckDBSuccess) {
    return Fail(open_error != nullptr ? open_error : "cannot open the database");
  }
  duckdb_result result;
  const bool ok = duckdb_query(connection, sql.str().c_str(), &result) == DuckDBSuccess;
  const std::string error = ok ? "" : duckdb_result_error(&result);
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return ok ? 0 : Fail(error);
}
