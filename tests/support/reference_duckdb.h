#pragma once

#include <duckdb.h>

#include <string>
#include <vector>

#include "dpsql/value.h"

namespace dpsql {

// Plain DuckDB, for making test data and for answers to compare with. Failures end the test
// program with DuckDB's words.

// Makes a database file from a file of SQL.
void MakeDatabase(const std::string& path, const std::string& sql_file);
void MakeDatabaseFromText(const std::string& path, const std::string& sql);

// The rows of a result: truth values as bool, signed whole numbers of up to 64 bits as int64, FLOAT
// and DOUBLE as double, the rest as text.
std::vector<std::vector<Value>> ReadRows(duckdb_result& result);

// Those of a query.
std::vector<std::vector<Value>> QueryReference(const std::string& path, const std::string& sql);

}  // namespace dpsql
