// The bounds that interval arithmetic gives hold for what DuckDB computes: arguments are drawn from
// their declared bounds, ends included, and every result must lie in the bounds of the expression.
// A rule that is wrong only between the draws is not found; 2,000 draws for each of six tables.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/function_grid.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "validate/interval_rules.h"

namespace dpsql {
namespace {

struct Ranges {
  Interval i1, i2, r1, r2;
};

constexpr auto kRanges = std::to_array<Ranges>({
    {{0, 100}, {1, 9}, {0, 1}, {0.5, 4}},
    {{-7, 5}, {-3, 3}, {-2.5, 3.5}, {-1, 2}},
    {{-100, -20}, {-9, -2}, {-40.25, -0.125}, {-3, -1.5}},
    {{3, 3}, {0, 12}, {1e-3, 1e3}, {2, 2}},
    {{-1'000'000, 1'000'000}, {10, 20}, {-1e6, 1e6}, {0, 3}},
    {{1, 50}, {5, 5}, {0.75, 0.85}, {-0.5, 0.5}},
});

std::string Number(double value) { return "(" + std::to_string(value) + ")"; }

// Low and high in every ninth row, else evenly spread by a multiplicative sequence.
std::string Draw(const Interval& range, const std::string& type, int step) {
  const std::string share = "((k * " + std::to_string(step) + ") % 1009) / 1008.0";
  return "CAST(CASE WHEN k % " + std::to_string(step % 7 + 5) + " = 0 THEN " + Number(range.low) +
         " WHEN k % " + std::to_string(step % 5 + 6) + " = 1 THEN " + Number(range.high) +
         " ELSE " + Number(range.low) + " + " + share + " * " + Number(range.high - range.low) +
         " END AS " + type + ")";
}

std::string TableSql(std::size_t t) {
  const Ranges& ranges = kRanges[t];
  return "CREATE TABLE ranged" + std::to_string(t) + " AS SELECT k AS id, " +
         Draw(ranges.i1, "BIGINT", 601) + " AS i1, " + Draw(ranges.i2, "BIGINT", 277) + " AS i2, " +
         Draw(ranges.r1, "DOUBLE", 739) + " AS r1, " + Draw(ranges.r2, "DOUBLE", 433) +
         " AS r2, k % 2 = 0 AS b1, DATE '1960-01-01' + CAST(k * 17 AS INTEGER) AS d1, "
         "DATE '2001-01-01' + CAST(k AS INTEGER) AS d2, TIMESTAMP '1960-01-01' + to_seconds(k * "
         "1234567) AS z1, TIMESTAMP '2001-01-01' AS z2, to_seconds(k * 7654321) AS v1, chr(CAST(k "
         "+ 60 AS INTEGER)) AS t1, 'x' AS t2, CAST(k AS DECIMAL(38,10)) AS x1 FROM range(0, 2000) "
         "t(k);";
}

Catalog RangedCatalog() {
  Schema schema;
  std::string text =
      "[dataset]\nname = \"ranged\"\n[budget]\nepsilon = 1\ndelta = 1e-6\n"
      "[query]\nepsilon = 1\nmin_frequency = 1\n";
  for (std::size_t t = 0; t < kRanges.size(); ++t) {
    const std::string name = "ranged" + std::to_string(t);
    const auto bounds = [&](const char* column, const Interval& range) {
      return std::string(column) + " = { lower = " + std::to_string(range.low) +
             ", upper = " + std::to_string(range.high) + (range.low == range.high ? "1" : "") +
             " }\n";
    };
    const Ranges& ranges = kRanges[t];
    text += "[tables." + name + "]\nunit = \"id\"\nmax_rows_per_unit = 1\n[tables." + name +
            ".columns]\n" + bounds("i1", ranges.i1) + bounds("i2", ranges.i2) +
            bounds("r1", ranges.r1) + bounds("r2", ranges.r2);
    SchemaTable table{.name = name, .columns = {}};
    for (const char* column : {"id BIGINT", "i1 BIGINT", "i2 BIGINT", "r1 DOUBLE", "r2 DOUBLE",
                               "b1 BOOLEAN", "d1 DATE", "d2 DATE", "z1 TIMESTAMP", "z2 TIMESTAMP",
                               "v1 INTERVAL", "t1 VARCHAR", "t2 VARCHAR", "x1 DECIMAL(38,10)"}) {
      const std::string words = column;
      const std::size_t space = words.find(' ');
      table.columns.push_back({.name = words.substr(0, space),
                               .type = ParseType(words.substr(space + 1)),
                               .nullable = false});
    }
    schema.tables.push_back(std::move(table));
  }
  auto policy = ReadPolicy(text, "ranged.toml");
  return Catalog::Make(std::move(policy).value(), std::move(schema)).value();
}

double AsDouble(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

TEST(FunctionIntervals, HoldEveryResult) {
  const TempFolder folder;
  const Catalog catalog = RangedCatalog();
  std::string sql;
  for (std::size_t t = 0; t < kRanges.size(); ++t) sql += TableSql(t);
  MakeDatabaseFromText(folder / "ranged.duckdb", sql);
  std::size_t checked = 0;
  for (const ScalarFunction& function : AllScalarFunctions()) {
    const std::string name(function.name);
    const bool picks = name == "greatest" || name == "least";
    if (function.interval == nullptr && !picks) continue;
    for (const char* number : {"r", "i"}) {
      for (std::size_t t = 0; t < kRanges.size(); ++t) {
        const std::string table = "ranged" + std::to_string(t);
        const std::string call =
            WriteCall(function.name, GridArguments(function, number, number, "z"));
        const PrintedExpr printed = PrintOver(table, call, catalog);
        if (!printed.interval) continue;
        ++checked;
        const auto rows =
            QueryReference(folder / "ranged.duckdb",
                           "SELECT min(CAST(x AS DOUBLE)), max(CAST(x AS DOUBLE)) FROM "
                           "(SELECT " +
                               printed.sql + " AS x FROM main." + table + " AS s0)");
        if (std::holds_alternative<std::monostate>(rows[0][0])) continue;
        EXPECT_GE(AsDouble(rows[0][0]), printed.interval->low) << call << " over " << table;
        EXPECT_LE(AsDouble(rows[0][1]), printed.interval->high) << call << " over " << table;
      }
    }
  }
  EXPECT_GT(checked, 500U);
}

// What DuckDB computes from literals alone, where doubles have no digits left.
TEST(FunctionIntervals, HoldWhereDoublesAreRounded) {
  const TempFolder folder;
  MakeDatabaseFromText(folder / "one.duckdb", "CREATE TABLE one AS SELECT 1 AS id");
  for (const char* call :
       {"9007199254740993 + 1", "9007199254740993 * 3", "13510798882111490 / 4503599627370497",
        "trunc(18.920545094152626, 15)", "round(1.8549554013875125, 17)",
        "trunc(0.3709910802775025, 30)", "-9007199254740993 - 1"}) {
    const PrintedExpr printed = PrintOver("ranged0", call, RangedCatalog());
    const auto rows =
        QueryReference(folder / "one.duckdb", "SELECT CAST(" + printed.sql + " AS DOUBLE)");
    EXPECT_GE(AsDouble(rows[0][0]), printed.interval->low) << call;
    EXPECT_LE(AsDouble(rows[0][0]), printed.interval->high) << call;
  }
}

// 3 b - 1 divided by b is 2, and 3 in doubles.
TEST(FunctionIntervals, OfAQuotientHoldTheWholeOne) {
  const std::optional<Interval> arguments[] = {Interval{0x1.8p53 + 2, 0x1.8p53 + 2},
                                               Interval{0x1p52 + 1, 0x1p52 + 1}};
  EXPECT_EQ(13510798882111490 / 4503599627370497, 2);
  EXPECT_LE(intervals::DivideWhole(arguments)->low, 2);
}

}  // namespace
}  // namespace dpsql
