#include "speed/exact_engine.h"

#include <cstdio>
#include <cstdlib>

namespace dpsql {
namespace {

[[noreturn]] void Fail(const char* words) {
  std::fprintf(stderr, "speed: DuckDB: %s\n", words != nullptr ? words : "unknown error");
  std::exit(1);
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

}  // namespace dpsql
