#pragma once

#include <string>
#include <vector>

#include "backend/data_files.h"
#include "backend/duckdb_handles.h"
#include "dpsql/result.h"

// Files as tables of DuckDB. These are the only statements that name a file; no text of an
// analyst's is near them.
namespace dpsql {

// SET allowed_paths: these files and no other.
std::string AllowFiles(const std::vector<TableFiles>& tables);

// CREATE VIEW for one table. Parquet has its own types. Text is total: a field that is not of its
// declared type is NULL, a line that is no row is left out, and neither ever fails.
// Requires: `columns` are those of the CSV files' first line, in order; unused for other formats.
std::string FileView(const TableFiles& table, const std::vector<std::string>& columns);

// Refuses (C204) files of one table whose columns differ.
Status CheckSameColumns(const TableFiles& table, const std::string& policy_file,
                        DuckDbConnection& connection);

// The names in the first line of a table's CSV files; nothing for other formats. Refuses (C204)
// files that differ, and a declared column that they lack.
Result<std::vector<std::string>> CsvColumns(const TableFiles& table,
                                            const std::string& policy_file);

}  // namespace dpsql
