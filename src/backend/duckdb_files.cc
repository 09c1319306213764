#include "backend/duckdb_files.h"

#include <algorithm>
#include <utility>

#include "backend/data_files_csv.h"
#include "base/names.h"
#include "base/try.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

std::string Quoted(std::string_view text) { return DuckDbDialect().QuoteString(text); }
std::string Named(std::string_view name) { return DuckDbDialect().QuoteIdentifier(name); }

std::string PathList(const std::vector<FileStamp>& files) {
  std::string text;
  for (const FileStamp& file : files) text += (text.empty() ? "" : ", ") + Quoted(file.path);
  return "[" + text + "]";
}

// Folders are no columns.
constexpr const char* kPlainPaths = ", hive_partitioning = false, filename = false";

// Nothing is guessed from the data. One thread for each file: readers that start in the middle of
// it would have to guess whether they are in quotes. DuckDB's strict mode is not RFC 4180: for some
// rows that are, it ends a query or loses the next row.
std::string CsvRows(const TableFiles& table, const std::vector<std::string>& columns) {
  std::string types;
  for (const std::string& name : columns) {
    types += (types.empty() ? "" : ", ") + Quoted(name) + ": 'VARCHAR'";
  }
  return "read_csv(" + PathList(table.files) + ", columns = {" + types +
         "}, header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"', "
         "nullstr = '', allow_quoted_nulls = false, compression = 'none', ignore_errors = true, "
         "strict_mode = false, parallel = false" +
         kPlainPaths + ")";
}

// Each line as one text: DuckDB's own reader of JSON ends a query for some bad lines. The byte 1
// is no part of JSON.
std::string JsonLines(const TableFiles& table) {
  return "read_csv(" + PathList(table.files) +
         ", columns = {'line': 'VARCHAR'}, header = false, auto_detect = false, delim = '\x01', "
         "quote = '', escape = '', compression = 'none', ignore_errors = true, "
         "strict_mode = false" +
         kPlainPaths + ")";
}

template <typename Print>
std::string ForColumns(const TableFiles& table, Print print) {
  std::string text;
  for (const ColumnPolicy& column : table.table->columns) {
    text += (text.empty() ? "" : ", ") + print(column);
  }
  return text;
}

std::string TypedItem(const std::string& value, const ColumnPolicy& column) {
  return "TRY_CAST(" + value + " AS " + column.type->name + ") AS " + Named(column.name);
}

std::string FileRows(const TableFiles& table, const std::vector<std::string>& columns) {
  if (table.format == SourceFormat::kParquet) {
    return "SELECT * FROM read_parquet(" + PathList(table.files) + ", union_by_name = false" +
           kPlainPaths + ")";
  }
  if (table.format == SourceFormat::kCsv) {
    const auto item = [](const ColumnPolicy& column) {
      return TypedItem(Named(column.name), column);
    };
    return "SELECT " + ForColumns(table, item) + " FROM " + CsvRows(table, columns);
  }
  const auto field = [](const ColumnPolicy& column) { return Named(column.name) + " VARCHAR"; };
  const auto item = [](const ColumnPolicy& column) {
    return TypedItem("object." + Named(column.name), column);
  };
  return "SELECT " + ForColumns(table, item) +
         " FROM (SELECT TRY_CAST(TRY_CAST(line AS JSON) AS STRUCT(" + ForColumns(table, field) +
         ")) AS object FROM " + JsonLines(table) + ") WHERE object IS NOT NULL";
}

Error FilesError(const TableFiles& table, const std::string& policy_file, std::string message,
                 std::string hint) {
  return ToError({.code = ErrorCode::kPolicyTable,
                  .line = table.table->source->line,
                  .message = std::move(message),
                  .hint = std::move(hint)},
                 policy_file);
}

Error Differ(const TableFiles& table, const std::string& policy_file, std::size_t file) {
  return FilesError(table, policy_file,
                    table.shown[file] + " has other columns than " + table.shown[0],
                    "write all files of a table with the same columns and types, in one order");
}

}  // namespace

std::string AllowFiles(const std::vector<TableFiles>& tables) {
  std::vector<FileStamp> all;
  for (const TableFiles& table : tables) {
    all.insert(all.end(), table.files.begin(), table.files.end());
  }
  return "SET allowed_paths = " + PathList(all);
}

std::string FileView(const TableFiles& table, const std::vector<std::string>& columns) {
  return "CREATE VIEW main." + Named(table.table->name) + " AS " + FileRows(table, columns);
}

Status CheckSameColumns(const TableFiles& table, const std::string& policy_file,
                        DuckDbConnection& connection) {
  if (table.format != SourceFormat::kParquet) return Done{};
  std::vector<std::vector<Value>> first;
  for (std::size_t i = 0; i < table.files.size(); ++i) {
    TableFiles alone = table;
    alone.files = {table.files[i]};
    std::vector<std::vector<Value>> columns;
    constexpr std::size_t kNameAndType = 2;
    if (connection.ReadRows("DESCRIBE " + FileRows(alone, {}), kNameAndType, columns)) {
      return FilesError(table, policy_file, table.shown[i] + " is no Parquet file",
                        "write it again, or let its name end in what it is");
    }
    if (first.empty()) first = columns;
    if (columns != first) return Differ(table, policy_file, i);
  }
  return Done{};
}

Result<std::vector<std::string>> CsvColumns(const TableFiles& table,
                                            const std::string& policy_file) {
  std::vector<std::string> first;
  if (table.format != SourceFormat::kCsv) return first;
  for (std::size_t i = 0; i < table.files.size(); ++i) {
    const auto columns = ReadCsvHeader(table.files[i].path);
    if (!columns) {
      return FilesError(table, policy_file, table.shown[i] + ": " + columns.error().message,
                        columns.error().hint);
    }
    if (first.empty()) first = *columns;
    if (*columns != first) return Differ(table, policy_file, i);
  }
  for (const ColumnPolicy& column : table.table->columns) {
    const auto same = [&](const std::string& name) { return SameName(name, column.name); };
    if (std::any_of(first.begin(), first.end(), same)) continue;
    return FilesError(table, policy_file, table.shown[0] + " has no column " + column.name,
                      "its first line names the columns");
  }
  return first;
}

namespace {

// A hash of all columns: nothing less makes DuckDB decode every value. An alias of the row would be
// a column where one has that name.
std::string ReadAll(const TableFiles& table) {
  return "SELECT bit_xor(hash(*COLUMNS(*))) FROM main." + Named(table.table->name);
}

}  // namespace

Status CheckRows(const TableFiles& table, const std::string& policy_file,
                 DuckDbConnection& connection, IncidentLog& incidents) {
  if (table.format == SourceFormat::kParquet) {
    const auto failure = connection.Run(ReadAll(table), [](const DuckDbChunk&) {});
    if (!failure) return Done{};
    return FilesError(table, policy_file,
                      "the files of " + table.table->name + " hold a value that cannot be read" +
                          " (incident " + incidents.Record(failure->text) + ")",
                      "write them again; a text of Parquet must be UTF-8");
  }
  if (table.format != SourceFormat::kCsv) return Done{};
  for (std::size_t i = 0; i < table.files.size(); ++i) {
    const auto flaw = FindCsvFlaw(table.files[i].path);
    if (!flaw) continue;
    const std::string where =
        table.shown[i] + ", byte " + std::to_string(flaw->byte) + ": " + flaw->what;
    return FilesError(table, policy_file,
                      "the files of " + table.table->name + " are no CSV by RFC 4180: " +
                          flaw->what + " (incident " + incidents.Record(where) + ")",
                      "write them with a program that quotes fields, and doubles quotes in them");
  }
  return Done{};
}

}  // namespace dpsql
