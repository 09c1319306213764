#include "backend/magnitude.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backend/lower_expr.h"
#include "backend/lower_node.h"
#include "base/check.h"
#include "catalog/policy.h"
#include "sql/dialect.h"
#include "sql/printer.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

// The argument of the only aggregate of `SELECT sum(<expression>) FROM t`.
BoundExprPtr Argument(const std::string& expression, const Catalog& catalog) {
  const DpPlan plan = PlanQuery("SELECT sum(" + expression + ") FROM t", catalog);
  return plan.doors()[0].query->aggregates[0].argument();
}

struct Column {
  std::string name, type, least, largest;
};

const std::vector<Column> kColumns = {
    {"b", "TINYINT", "-128", "127"},
    {"i", "INTEGER", "-2147483648", "2147483647"},
    {"u", "UINTEGER", "0", "4294967295"},
    {"l", "BIGINT", "-9223372036854775808", "9223372036854775807"},
    {"d", "DECIMAL(15,2)", "-9999999999999.99", "9999999999999.99"},
    {"w", "DECIMAL(38,0)", "-99999999999999999999999999999999999999",
     "99999999999999999999999999999999999999"},
    {"x", "DOUBLE", "'-inf'", "'nan'"},
};

Catalog MakeCatalog() {
  SchemaTable table{.name = "t", .columns = {{.name = "id", .type = ParseType("BIGINT")}}};
  std::string policy =
      "[dataset]\nname = \"t\"\n[budget]\nepsilon = 1\ndelta = 1e-6\n[query]\nepsilon = 1\n"
      "[tables.t]\nunit = \"id\"\nmax_rows_per_unit = 1\n[tables.t.columns]\n";
  for (const Column& column : kColumns) {
    table.columns.push_back({.name = column.name, .type = ParseType(column.type)});
    policy += column.name + " = { lower = 1, upper = 2 }\n";
  }
  Result<Policy> read = ReadPolicy(policy, "test.toml");
  if (!read) throw Bug(read.error().message);
  Result<Catalog> made = Catalog::Make(std::move(read).value(), {.tables = {table}});
  if (!made) throw Bug(made.error().message);
  return std::move(made).value();
}

const std::vector<std::string> kHarmless = {
    "i + i",   "i * i",    "i - 7", "b * i * b", "u * b",
    "d * d",   "d + i",    "1 - d", "w * w",     "d * (1 - d) * (1 + d)",
    "l * 1.5", "d / 100.0"};

TEST(MagnitudeTest, NarrowTypesAreHarmless) {
  const Catalog catalog = MakeCatalog();
  for (const std::string& harmless : kHarmless) {
    EXPECT_TRUE(IsHarmless(*Argument(harmless, catalog))) << harmless;
  }
}

// The bounds of the policy are between 1 and 2 for all of them: a row may break them.
TEST(MagnitudeTest, WhatMayOverflowOrBeNanIsNot) {
  const Catalog catalog = MakeCatalog();
  for (const char* harmful :
       {"l + 1", "l * l", "u * u", "u * i", "i * i * i", "x + 1", "x * d", "d / d", "d / x",
        "w * w * w * w * w * w * w * w", "i % i", "sqrt(d)", "power(d, 2) * d"}) {
    EXPECT_FALSE(IsHarmless(*Argument(harmful, catalog))) << harmful;
  }
}

// On rows of all extremes of the types, nothing fails and nothing is NaN, infinite or NULL.
TEST(MagnitudeTest, HarmlessFormsHoldOnTheExtremesOfTheirTypes) {
  const TempFolder folder;
  const std::string database = folder / "t.duckdb";
  std::string columns, least, largest;
  for (const Column& column : kColumns) {
    const std::string comma = columns.empty() ? "" : ", ";
    columns += comma + column.name + " " + column.type;
    least += comma + column.least;
    largest += comma + column.largest;
  }
  MakeDatabaseFromText(database, "CREATE TABLE t (" + columns + "); INSERT INTO t VALUES (" +
                                     least + "), (" + largest + ");");
  const Catalog catalog = MakeCatalog();
  const DoorNumbers doors;
  for (const std::string& harmless : kHarmless) {
    const BoundExprPtr expr = Argument(harmless, catalog);
    const Relation relation{.scans = {{.table = 0, .alias = "t"}}};
    ast::Select select;
    select.items.push_back(
        {.expr = LowerArgument(*expr, LowerScope{relation, catalog, doors}), .alias = "v"});
    select.from = LowerFrom(LowerScope{relation, catalog, doors});
    const std::string sql = PrintSelect(select, DuckDbDialect());
    EXPECT_EQ(sql.find("lambda"), std::string::npos) << sql;
    EXPECT_EQ(sql.find("HUGEINT"), std::string::npos) << sql;
    const auto rows =
        QueryReference(database, "SELECT count(*) FROM (" + sql + ") AS q WHERE isfinite(v)");
    EXPECT_EQ(std::get<std::int64_t>(rows[0][0]), 2) << harmless;
  }
}

}  // namespace
}  // namespace dpsql
