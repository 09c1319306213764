#include "speed/exact_engine.h"

#include <cstdio>
#include <cstdlib>

namespace dpsql {
namespace {

[[noreturn]] void Fail(const char* words) {
  std::fprintf(stderr, "speed: DuckDB: %s\n", words != nullptr ? words : "unknown error");
  std::exit(1);
}

// A cell of a VARCHAR column.
std::string TextAt(duckdb_vector column, idx_t row) {
  if (!duckdb_validity_row_is_valid(duckdb_vector_get_validity(column), row)) return "";
  duckdb_string_t& text = static_cast<duckdb_string_t*>(duckdb_vector_get_data(column))[row];
  return {duckdb_string_t_data(&text), duckdb_string_t_length(text)};
}

}  // namespace

ExactEngine::ExactEngine(const std::string& path) {
  duckdb_config config = nullptr;
  char* words = nullptr;
  duckdb_create_config(&config);
  duckdb_set_config(config, "access_mode", "READ_ONLY");
  if (duckdb_open_ext(path.c_str(), &database_, config, &words) != DuckDBSuccess) Fail(words);
  duckdb_destroy_config(&config);
  if (duckdb_connect(database_, &connection_) != DuckDBSuccess) Fail("no connection");
}

ExactEngine::~ExactEngine() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

void ExactEngine::Run(const std::string& sql) {
  duckdb_result result;
  if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
    Fail(duckdb_result_error(&result));
  }
  duckdb_destroy_result(&result);
}

std::vector<std::vector<std::string>> ExactEngine::Read(const std::string& sql) {
  duckdb_result result;
  const std::string texts = "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + sql + ")";
  if (duckdb_query(connection_, texts.c_str(), &result) != DuckDBSuccess) {
    Fail(duckdb_result_error(&result));
  }
  std::vector<std::vector<std::string>> rows;
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result)) {
    const idx_t columns = duckdb_data_chunk_get_column_count(chunk);
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); ++row) {
      std::vector<std::string>& cells = rows.emplace_back();
      for (idx_t column = 0; column < columns; ++column) {
        cells.push_back(TextAt(duckdb_data_chunk_get_vector(chunk, column), row));
      }
    }
    duckdb_destroy_data_chunk(&chunk);
  }
  duckdb_destroy_result(&result);
  return rows;
}

}  // namespace dpsql
