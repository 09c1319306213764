#include "describe_tables.h"

#include <algorithm>
#include <sstream>

#include "text_table.h"

namespace dpsql::cli {
namespace {

constexpr std::size_t kMostValues = 8;

std::string Bounds(const ColumnInfo& column) {
  if (!column.lower || !column.upper) return "";
  std::ostringstream text;
  text.precision(15);
  text << *column.lower << " to " << *column.upper;
  return text.str();
}

// A list of many values is cut; the owner's policy has them all.
std::string Values(const ColumnInfo& column) {
  std::string text;
  const std::size_t shown = std::min(column.values.size(), kMostValues);
  for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + column.values[i];
  const std::size_t more = column.values.size() - shown;
  return more > 0 ? text + ", and " + std::to_string(more) + " more" : text;
}

}  // namespace

std::string ListTables(const std::vector<TableInfo>& tables) {
  std::vector<std::vector<std::string>> rows = {{"table", "kind", "columns", "unit"}};
  for (const TableInfo& table : tables) {
    rows.push_back({table.name, table.is_public ? "public" : "private",
                    std::to_string(table.columns.size()), table.unit});
  }
  return AlignColumns(rows);
}

std::string DescribeTable(const TableInfo& table) {
  std::string head = table.name + (table.is_public ? ": public" : ": private; unit " + table.unit);
  if (table.max_rows_per_unit) {
    head += "; at most " + std::to_string(*table.max_rows_per_unit) + " rows of each";
  }
  std::vector<std::vector<std::string>> rows = {{"  column", "type", "null", "bounds", "values"}};
  for (const ColumnInfo& column : table.columns) {
    rows.push_back({"  " + column.name, column.type, column.nullable ? "yes" : "no", Bounds(column),
                    Values(column)});
  }
  return AlignColumns({{head}}) + AlignColumns(rows);
}

}  // namespace dpsql::cli
