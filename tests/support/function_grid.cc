#include "support/function_grid.h"

#include <set>

#include "backend/lower_expr.h"
#include "sql/dialect.h"
#include "sql/printable.h"
#include "sql/printer.h"
#include "support/reference_duckdb.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

// The column's letter, its type, and its values. NULL is added to `grid` alone.
struct GridColumn {
  std::string letter;
  std::string type;
  std::string values;
};

const std::vector<GridColumn>& Columns() {
  static const std::vector<GridColumn> kColumns = {
      {"i", "BIGINT",
       "0, 1, -1, 2, -2, 3, 7, -7, 10, 12, 30, 31, 59, 63, 64, 100, 1999, 2024, 55296, 1114112, "
       "2147483647, -2147483648, 2147483648, 4294967296, 9007199254740993, "
       "9223372036854775807, (-9223372036854775808)"},
      {"r", "DOUBLE",
       "0, '-0'::DOUBLE, 1, -1, 0.5, -0.5, 2.5, -2.5, 1e-320, 1e-200, 1e15, 4503599627370497.5, "
       "1e18, 9223372036854775807, 1e19, -1e19, 1e150, -1e150, 1e154, 1e300, "
       "1.7976931348623157e308, -1.7976931348623157e308, 'inf', '-inf', 3.141592653589793, 700, "
       "-745, 710, 0.49999999999999994, 1.005, 5e-324, -2.4999999999999996, 0.1, 1.383e-322, "
       "-1.383e-322, 1.433e-322"},
      {"x", "DECIMAL(38,10)",
       "0, 1.5, -1.5, 2.5, 0.0000000001, 9999999999999999999999999999.9999999999, "
       "-9999999999999999999999999999.9999999999, 12345678901234567890.5"},
      {"h", "HUGEINT",
       "0, 1, -1, 170141183460469231731687303715884105727, "
       "-170141183460469231731687303715884105727"},
      {"b", "BOOLEAN", "true, false"},
      {"t", "VARCHAR",
       "'', ' ', 'a', 'A', 'abc', 'a,b,c', '%', '_', '!', chr(92), 'é', chr(128512), "
       "'e' || chr(769), repeat('x', 5000), repeat(chr(128512), 300), '1', ' +12 ', '-0', '1.5', "
       "'1e400', '99999999999999999999', 'nan', 'Infinity', 't', 'oFF', '2024-02-29', "
       "'2023-02-29 10:00:00', chr(10) || 'x'"},
      {"u", "UUID",
       "'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'"},
      {"d", "DATE",
       "'1970-01-01', '2024-02-29', '2023-12-31', '0001-01-01', '0001-01-01 (BC)', "
       "'4713-01-01 (BC)', '5877642-06-25 (BC)', '5881580-07-10', '9999-12-31', '290000-01-01', "
       "'infinity', '-infinity', '1900-02-28'"},
      {"z", "TIMESTAMP",
       "'1970-01-01', '2024-02-29 23:59:59.999999', '2023-12-31 12:30:45.5', '0001-01-01', "
       "'0044-03-15 (BC)', '290309-12-22 (BC) 00:00:00', '294247-01-10 04:00:54.775806', "
       "'infinity', '-infinity', '1969-12-31 23:59:59.000001', '9999-12-31'"},
      {"v", "INTERVAL",
       "'0 days', '1 month', '30 days', '-1 year', '5000000 months', '2000000000 days', "
       "'23:59:59.999999', '-1000000 hours'"},
  };
  return kColumns;
}

// Column 1 takes its values in turn, column 2 once for every round of column 1.
std::string CreateTable(const std::string& name, const std::string& null, const char* constraint) {
  std::string columns = "id INTEGER NOT NULL";
  std::string values = "k";
  for (const GridColumn& column : Columns()) {
    const std::string list = "[" + null + column.values + "]::" + column.type + "[]";
    for (const char* number : {"1", "2"}) {
      columns += ", " + column.letter + number + " " + column.type + constraint;
      values += ", (" + list + ")[1 + (k // " + (number[0] == '1' ? "1" : "len(" + list + ")") +
                ") % len(" + list + ")]";
    }
  }
  return "CREATE TABLE " + name + " (" + columns + "); INSERT INTO " + name + " SELECT " + values +
         " FROM range(0, 1369) t(k);";
}

SchemaTable GridSchema(const std::string& name, bool nullable) {
  SchemaTable table{.name = name,
                    .columns = {{.name = "id", .type = ParseType("INTEGER"), .nullable = false}}};
  for (const GridColumn& column : Columns()) {
    for (const char* number : {"1", "2"}) {
      table.columns.push_back(
          {.name = column.letter + number, .type = ParseType(column.type), .nullable = nullable});
    }
  }
  return table;
}

}  // namespace

// What stands for a letter that asks for a literal; nothing for one that takes a column.
std::string LiteralFor(char letter, bool second) {
  switch (letter) {
    case 'n':
      return "-30";
    case 'k':
      return "3";
    case 'm':
      return "10";
    case 'c':
      return second ? "7.5" : "-5";
    case 'l':
      return "'xy'";
    case 'q':
      return "'!'";
    case 'p':
      return "'%a!_b'";
    case 'e':
      return "'^a.*([b-z]|x){1,3}$'";
    default:
      return "";
  }
}

void MakeGridDatabase(const std::string& path) {
  MakeDatabaseFromText(path,
                       CreateTable("grid", "NULL, ", "") + CreateTable("solid", "", " NOT NULL"));
}

const Catalog& GridCatalog() {
  static const Catalog kCatalog = [] {
    Schema schema;
    schema.tables = {GridSchema("grid", true), GridSchema("solid", false)};
    auto policy = ReadPolicy(
        "[dataset]\nname = \"grid\"\n[budget]\nepsilon = 1\ndelta = 1e-6\n"
        "[query]\nepsilon = 1\nmin_frequency = 1\n"
        "[tables.grid]\nunit = \"id\"\nmax_rows_per_unit = 1\n"
        "[tables.solid]\nunit = \"id\"\nmax_rows_per_unit = 1\n",
        "grid.toml");
    return Catalog::Make(std::move(*policy), std::move(schema)).value();
  }();
  return kCatalog;
}

std::vector<std::string> GridArguments(const ScalarFunction& function, const std::string& any,
                                       const std::string& number, const std::string& day) {
  std::vector<std::string> arguments;
  std::string letters(function.arguments);
  if (letters.ends_with('+')) letters.back() = letters[letters.size() - 2];
  if (function.name == "case") letters = "baa";
  std::size_t columns = 0;
  for (const char letter : letters) {
    const std::string literal = LiteralFor(letter, letter == 'c' && arguments.size() == 2);
    const std::string which = (columns % 2) == 0 ? "1" : "2";
    if (literal.empty()) ++columns;
    std::string column(1, letter);
    if (letter == 'a') column = any;
    if (letter == 'r' || letter == 'x') column = letter == 'x' && number == "r" ? "x" : number;
    if (letter == 's') column = day;
    arguments.push_back(literal.empty() ? column + which : literal);
  }
  return arguments;
}

std::vector<std::string> GridCalls(const ScalarFunction& function) {
  std::set<std::string> calls;
  for (const char* any : {"i", "r", "x", "h", "b", "t", "u", "d", "z", "v"}) {
    for (const char* number : {"r", "x", "h", "i"}) {
      for (const char* day : {"z", "d"}) {
        calls.insert(WriteCall(function.name, GridArguments(function, any, number, day)));
      }
    }
  }
  return {calls.begin(), calls.end()};
}

PrintedExpr PrintOver(const std::string& table, const std::string& expr, const Catalog& catalog) {
  const BoundDoor door = BindDoor("SELECT count(" + expr + ") FROM " + table, catalog);
  const BoundExpr& argument = *door.aggregates[0].argument();
  const LowerScope scope{door.relation, catalog, {}};
  const std::string sql = PrintExpr(*LowerExpr(argument, scope), DuckDbDialect());
  return {.sql = sql,
          .type = argument.type,
          .nullable = argument.nullable,
          .interval = argument.interval};
}

Result<std::string> PrintFor(const std::string& expr, const Dialect& dialect) {
  const BoundDoor door = BindDoor("SELECT count(" + expr + ") FROM grid", GridCatalog());
  const LowerScope scope{door.relation, *door.catalog, {}};
  const ast::ExprPtr lowered = LowerExpr(*door.aggregates[0].argument(), scope);
  const Status printable = RefuseUnprintable(*lowered, dialect);
  if (!printable) return printable.error();
  return PrintExpr(*lowered, dialect);
}

}  // namespace dpsql
