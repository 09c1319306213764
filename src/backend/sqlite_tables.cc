#include "backend/sqlite_tables.h"

#include <string_view>

#include "base/names.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

std::size_t CountOf(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

// The columns that the statement may read. The printer writes a column as `"scan"."name"`, so that
// what is not found in the text is not read; what is found and not read costs a little time.
std::string TypedColumns(const SchemaTable& table, const std::string& statement) {
  const Dialect& dialect = SqliteDialect();
  std::string columns;
  for (const SchemaColumn& column : table.columns) {
    const std::string name = dialect.QuoteIdentifier(column.name);
    if (CountOf(statement, "." + name) == 0) continue;
    const bool known = column.type.family != TypeFamily::kOther;
    columns += (columns.empty() ? "" : ", ") +
               ("dpsql_" + (known ? ToLower(column.type.name) : "other")) + "(" + name + ") AS " +
               name;
  }
  return columns.empty() ? "1 AS one" : columns;
}

}  // namespace

std::string PrintForSqlite(const ast::Select& select, const Schema& schema) {
  const Dialect& dialect = SqliteDialect();
  const std::string statement = PrintSelect(select, dialect);
  std::string with;
  std::size_t reads = 0;
  for (const SchemaTable& table : schema.tables) {
    reads += CountOf(statement, dialect.QuoteIdentifier(table.name) + " AS \"");
  }
  for (const SchemaTable& table : schema.tables) {
    const std::string name = dialect.QuoteIdentifier(table.name);
    if (CountOf(statement, name + " AS \"") == 0) continue;
    with += (with.empty() ? "WITH " : ", ") + name +
            (reads > 1 ? " AS MATERIALIZED (SELECT " : " AS (SELECT ") +
            TypedColumns(table, statement) + " FROM \"main\"." + name + ")";
  }
  return with.empty() ? statement : with + " " + statement;
}

}  // namespace dpsql
