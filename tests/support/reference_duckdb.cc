#include "support/reference_duckdb.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace dpsql {
namespace {

[[noreturn]] void Fail(const std::string& what, const char* words) {
  std::fprintf(stderr, "reference DuckDB: %s: %s\n", what.c_str(), words ? words : "failed");
  std::exit(1);
}

class Reference {
 public:
  explicit Reference(const std::string& path) {
    char* error = nullptr;
    if (duckdb_open_ext(path.c_str(), &database_, nullptr, &error) != DuckDBSuccess ||
        duckdb_connect(database_, &connection_) != DuckDBSuccess) {
      Fail(path, error);
    }
  }
  ~Reference() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  duckdb_result Run(const std::string& sql) {
    duckdb_result result;
    if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
      Fail(sql.substr(0, 200), duckdb_result_error(&result));
    }
    return result;
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

Value ReadCell(duckdb_result& result, idx_t column, idx_t row) {
  if (duckdb_value_is_null(&result, column, row)) return std::monostate{};
  switch (duckdb_column_type(&result, column)) {
    case DUCKDB_TYPE_BOOLEAN:
      return duckdb_value_boolean(&result, column, row);
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
      return duckdb_value_int64(&result, column, row);
    case DUCKDB_TYPE_FLOAT:
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

std::vector<std::vector<Value>> ReadRows(duckdb_result& result) {
  std::vector<std::vector<Value>> rows(duckdb_row_count(&result));
  for (idx_t row = 0; row < rows.size(); ++row) {
    for (idx_t column = 0; column < duckdb_column_count(&result); ++column) {
      rows[row].push_back(ReadCell(result, column, row));
    }
  }
  return rows;
}

void MakeDatabaseFromText(const std::string& path, const std::string& sql) {
  Reference reference(path);
  duckdb_result result = reference.Run(sql);
  duckdb_destroy_result(&result);
}

void MakeDatabase(const std::string& path, const std::string& sql_file) {
  std::ifstream file(sql_file);
  std::ostringstream sql;
  if (!file || !(sql << file.rdbuf())) Fail(sql_file, "cannot be read");
  MakeDatabaseFromText(path, sql.str());
}

std::vector<std::vector<Value>> QueryReference(const std::string& path, const std::string& sql) {
  Reference reference(path);
  duckdb_result result = reference.Run(sql);
  std::vector<std::vector<Value>> rows = ReadRows(result);
  duckdb_destroy_result(&result);
  return rows;
}

}  // namespace dpsql
