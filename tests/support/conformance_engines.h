#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/copied_tables.h"

// The databases that are asked what DuckDB is asked, in tests/sql, and must answer the same to the
// last integer. A new one is a function that fills it and a line in conformance_engines.cc.
// Texts that are no keys stand under a collation where the function can (IsCollatedInCopies).
namespace dpsql {

struct ConformanceEngine {
  std::string_view name;  // its skips stand in tests/conformance/NAME.skip
  // Makes a database with these tables and returns its URL; nothing where there is no such database
  // on this machine. `folder` is for files of its own.
  std::optional<std::string> (*fill)(const CopiedDatabase& database, const std::string& folder);
  bool is_files = false;  // its tables are files, and the policy names them: FilePolicy
};

// Null where no engine has this name.
const ConformanceEngine* FindConformanceEngine(std::string_view name);

// A schema on a server of the test's own: wide whole numbers are numerics, which we read as doubles
// beyond 38 digits; what has no type there is JSON. Throws where the server fails.
std::optional<std::string> FillPostgreSql(const CopiedDatabase& database,
                                          const std::string& folder);

// A file of SQLite's: decimals and wide whole numbers are doubles there, dates are texts, and so is
// what it has no type for. Exits where SQLite fails.
std::optional<std::string> FillSqlite(const CopiedDatabase& database, const std::string& folder);

// Files of Parquet in the folder, for the Spark server whose address is in the environment's
// DPSQL_TEST_SPARK: whole numbers of 128 bits are doubles there, what has no type is binary.
std::optional<std::string> FillSpark(const CopiedDatabase& database, const std::string& folder);

}  // namespace dpsql
