#pragma once

#include <string>
#include <vector>

#include "backend/data_files.h"
#include "backend/duckdb_handles.h"
#include "base/incident_log.h"
#include "dpsql/result.h"

// Files as tables of DuckDB. These are the only statements that name a file; no text of an
// analyst's is near them.
namespace dpsql {

// SET allowed_paths: these files and no other.
std::string AllowFiles(const std::vector<TableFiles>& tables);

// CREATE VIEW for one table. Parquet has its own types, and is total where CheckRows found nothing.
// Text is total: a field that is not of its declared type is NULL, a line that is no row is left
// out, and neither ever fails.
// Requires: `columns` are those of the CSV files' first line, in order; unused for other formats.
std::string FileView(const TableFiles& table, const std::vector<std::string>& columns);

// Refuses (C204) files of one table whose columns differ.
Status CheckSameColumns(const TableFiles& table, const std::string& policy_file,
                        DuckDbConnection& connection);

// The names in the first line of a table's CSV files; nothing for other formats. Refuses (C204)
// files that differ, and a declared column that they lack.
Result<std::vector<std::string>> CsvColumns(const TableFiles& table,
                                            const std::string& policy_file);

// Reads all rows and columns of a table's files. Refuses (C204) Parquet with a value that DuckDB
// ends a query for, such as a text that is not UTF-8, and CSV in which one row's bytes could move
// another row (data_files_csv.h). What and where is in the owner's log; the refusal names the table
// and nothing else of the data.
// Requires: the table has its view.
// Ensures: whether a later query over these files fails does not depend on a row's values; a whole
// table is there or is not, before any question and for all of them.
// Proof: DuckDB decodes a column of Parquet value by value, without looking at the query, and all
// of them were decoded here; the readers of text never fail.
Status CheckRows(const TableFiles& table, const std::string& policy_file,
                 DuckDbConnection& connection, IncidentLog& incidents);

}  // namespace dpsql
