#pragma once

#include <duckdb.h>

#include <string>
#include <vector>

namespace dpsql {

// Plain DuckDB on a file, read-only, with as many threads as the machine has for us.
class ExactEngine {
 public:
  explicit ExactEngine(const std::string& path);
  ~ExactEngine();
  ExactEngine(const ExactEngine&) = delete;
  ExactEngine& operator=(const ExactEngine&) = delete;

  // Runs a query to the end. Ends the program where DuckDB refuses.
  void Run(const std::string& sql);

  // The rows of a query, each cell as DuckDB's text of it; NULL is empty.
  std::vector<std::vector<std::string>> Read(const std::string& sql);

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace dpsql
