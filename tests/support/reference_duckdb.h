#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dpsql/value.h"

namespace dpsql {

// Plain DuckDB, for making test data and for answers to compare with. Failures end the test
// program with DuckDB's words.

// Makes a database file from a file of SQL.
void MakeDatabase(const std::string& path, const std::string& sql_file);
void MakeDatabaseFromText(const std::string& path, const std::string& sql);

// The rows of a query, numbers as int64 or double, everything else as text.
std::vector<std::vector<Value>> QueryReference(const std::string& path, const std::string& sql);

}  // namespace dpsql
