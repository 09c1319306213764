#include "sql/printer.h"

#include <gtest/gtest.h>

#include <string>

#include "base/check.h"
#include "sql/dialect.h"
#include "sql/parser.h"
#include "support/ast_dump.h"
#include "support/query_corpus.h"

namespace dpsql {
namespace {

// A dialect that spells everything as it was typed, so that printed text reads as the same tree.
constexpr Dialect::Function kPlainFunctions[] = {
    {"+", "($1 + $2)"},
    {"+", "(+ $1)"},
    {"-", "($1 - $2)"},
    {"-", "(- $1)"},
    {"*", "($1 * $2)"},
    {"/", "($1 / $2)"},
    {"%", "($1 % $2)"},
    {"^", "($1 ^ $2)"},
    {"@", "(@ $1)"},
    {"||", "($1 || $2)"},
    {"=", "($1 = $2)"},
    {"<>", "($1 <> $2)"},
    {"<", "($1 < $2)"},
    {"<=", "($1 <= $2)"},
    {">", "($1 > $2)"},
    {">=", "($1 >= $2)"},
    {"~", "($1 ~ $2)"},
    {"!~*", "($1 !~* $2)"},
    {"is distinct from", "($1 IS DISTINCT FROM $2)"},
    {"is not distinct from", "($1 IS NOT DISTINCT FROM $2)"},
    {"like", "($1 LIKE $2)"},
    {"like", "($1 LIKE $2 ESCAPE $3)"},
    {"not like", "($1 NOT LIKE $2)"},
    {"not like", "($1 NOT LIKE $2 ESCAPE $3)"},
    {"ilike", "($1 ILIKE $2)"},
    {"ilike", "($1 ILIKE $2 ESCAPE $3)"},
    {"not ilike", "($1 NOT ILIKE $2)"},
    {"similar to", "($1 SIMILAR TO $2)"},
    {"similar to", "($1 SIMILAR TO $2 ESCAPE $3)"},
    {"not similar to", "($1 NOT SIMILAR TO $2)"},
    {"f", "f($*)"},
    {"left", "\"left\"($*)"},
    {"F", "\"F\"($*)"},
    {"count", "count($*)"},
    {"sum", "sum($*)"},
    {"string_agg", "string_agg($*)"},
    {"percentile_cont", "percentile_cont($*)"},
    {"coalesce", "coalesce($*)"},
    {"greatest", "greatest($*)"},
    {"least", "least($*)"},
    {"nullif", "nullif($1, $2)"},
    {"grouping", "grouping($*)"},
    {"extract", "extract($1 FROM $2)"},
    {"position", "position($2 IN $1)"},
    {"overlay", "overlay($1 PLACING $2 FROM $3)"},
    {"substring", "substring($*)"},
    {"btrim", "trim(BOTH $2 FROM $1)"},
    {"btrim", "trim($1)"},
    {"ltrim", "trim(LEADING FROM $1)"},
    {"timezone", "($2 AT TIME ZONE $1)"},
    {"overlaps", "(($1, $2) OVERLAPS ($3, $4))"},
    {"is_normalized", "($1 IS NORMALIZED)"},
    {"is_normalized", "($1 IS NFC NORMALIZED)"},
    {"row_number", "row_number($*)"},
    {"now", "now($*)"},
    {"generate_series", "generate_series($*)"},
};

constexpr Dialect::Type kPlainTypes[] = {
    {"int4", "int4"},           {"int8", "int8"},
    {"float8", "float8"},       {"numeric", "numeric"},
    {"varchar", "varchar"},     {"text", "text"},
    {"date", "date"},           {"time", "time"},
    {"timestamp", "timestamp"}, {"timestamptz", "timestamptz"},
    {"bool", "bool"},           {"varbit", "varbit"},
};

constexpr Dialect kPlain("plain", kPlainFunctions, kPlainTypes);

const ast::Select& SelectOf(const ast::Statement& statement) {
  if (const auto* explain = std::get_if<ast::ExplainStatement>(&statement.node)) {
    return explain->select;
  }
  return std::get<ast::SelectStatement>(statement.node).select;
}

std::string PrintAs(std::string_view sql, const Dialect& dialect) {
  auto parsed = Parse(sql);
  EXPECT_TRUE(parsed.ok()) << RenderError(parsed.error(), sql);
  return PrintSelect(SelectOf(parsed->at(0)), dialect);
}

TEST(Printer, WritesWhatReadsAsTheSameTree) {
  int same = 0;
  int unlisted = 0;
  for (const std::string_view sql : kQueryCorpus) {
    auto parsed = Parse(sql);
    ASSERT_TRUE(parsed.ok()) << sql;
    for (const ast::Statement& statement : *parsed) {
      std::string printed;
      try {
        printed = PrintSelect(SelectOf(statement), kPlain);
      } catch (const Bug&) {
        ++unlisted;  // a function, type or named argument that this dialect does not have
        continue;
      }
      auto again = Parse(printed);
      ASSERT_TRUE(again.ok()) << RenderError(again.error(), printed);
      EXPECT_EQ(Dump(SelectOf(again->at(0))), Dump(SelectOf(statement))) << printed;
      ++same;
    }
  }
  EXPECT_GE(same, 80);
  EXPECT_LE(unlisted, 12);
}

TEST(Printer, QuotesNamesAndBracketsOperators) {
  EXPECT_EQ(
      PrintAs("SELECT a + b * -2 AS \"x\"\"y\" FROM t AS u (c) WHERE a = 'it''s'", DuckDbDialect()),
      "SELECT greatest(TRY_CAST((CAST(\"a\" AS HUGEINT) + CAST(greatest(TRY_CAST((CAST(\"b\" AS "
      "HUGEINT) * CAST((-2) AS HUGEINT)) AS BIGINT)) AS HUGEINT)) AS BIGINT)) AS \"x\"\"y\" FROM "
      "\"t\" AS "
      "\"u\"(\"c\") WHERE (\"a\" = 'it''s')");
}

TEST(Printer, WritesAggregates) {
  EXPECT_EQ(PrintAs("SELECT count(*), count(DISTINCT a) FILTER (WHERE b IS NOT NULL), "
                    "sum(CAST(a AS bigint)) FROM t GROUP BY c ORDER BY 1 DESC NULLS LAST LIMIT 3",
                    DuckDbDialect()),
            "SELECT count(*), count(DISTINCT \"a\") FILTER (WHERE (\"b\" IS NOT NULL)), "
            "sum(CAST(\"a\" AS BIGINT)) FROM \"t\" GROUP BY \"c\" ORDER BY 1 DESC NULLS LAST "
            "LIMIT 3");
}

TEST(Printer, WritesRelations) {
  EXPECT_EQ(PrintAs("WITH w AS (SELECT 1) SELECT * FROM w JOIN (SELECT 2 UNION ALL SELECT 3) d "
                    "ON w.a = d.a, t CROSS JOIN u",
                    DuckDbDialect()),
            "WITH \"w\" AS (SELECT 1) SELECT * FROM (\"w\" INNER JOIN ((SELECT 2) UNION ALL "
            "(SELECT 3)) AS \"d\" ON (\"w\".\"a\" = \"d\".\"a\")), (\"t\" CROSS JOIN \"u\")");
}

TEST(Printer, RefusesWhatTheDialectDoesNotList) {
  EXPECT_THROW(PrintAs("SELECT read_csv('x')", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT a @ b", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT s.sum(a)", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT sum(a, lower => 0)", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT floor(a, b)", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT floor(DISTINCT a)", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT a::regclass", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT a LIKE ANY (SELECT b)", DuckDbDialect()), Bug);
}

// Where a dialect writes arguments inside of something else, or a keyword's call, what an aggregate
// may have would stand where no database reads it.
TEST(Printer, RefusesModifiersOfWhatIsNoAggregate) {
  for (const char* call :
       {"concat(*)", "concat(DISTINCT a)", "concat(a ORDER BY a)", "concat_ws(DISTINCT ',', a)",
        "sqrt(a) FILTER (WHERE b)", "lower(a) OVER ()", "abs(a) WITHIN GROUP (ORDER BY b)",
        "\"coalesce\"(*)", "\"coalesce\"(DISTINCT a)", "\"coalesce\"(a) OVER ()", "\"coalesce\"()",
        "\"greatest\"()", "\"least\"(a) FILTER (WHERE b)", "\"greatest text\"(DISTINCT a)",
        "\"max text\"(*)", "\"max text\"(a ORDER BY b)", "\"greatest text\"(*)",
        "\"is distinct from\"(a, b) OVER ()"}) {
    EXPECT_THROW(PrintAs("SELECT " + std::string(call), PostgreSqlDialect()), Bug) << call;
  }
  EXPECT_EQ(PrintAs("SELECT \"max text\"(DISTINCT a) OVER ()", PostgreSqlDialect()),
            "SELECT max(DISTINCT \"a\" COLLATE \"C\") OVER ()");
}

TEST(Printer, RefusesRowFunctionsInFrom) {
  EXPECT_THROW(PrintAs("SELECT 1 FROM octet_length(a)", PostgreSqlDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT 1 FROM floor(a)", DuckDbDialect()), Bug);
  EXPECT_EQ(PrintAs("SELECT 1 FROM generate_series(1, 2)", kPlain),
            "SELECT 1 FROM generate_series(1, 2)");
}

// INTERVAL '1' DAY has PostgreSQL's mask of units as its modifier; INTERVAL(8) means another thing.
TEST(Printer, RefusesUnitsOfIntervals) {
  EXPECT_EQ(PrintAs("SELECT interval '1'", DuckDbDialect()), "SELECT CAST('1' AS INTERVAL)");
  EXPECT_THROW(PrintAs("SELECT interval '1' day", DuckDbDialect()), Bug);
  EXPECT_THROW(PrintAs("SELECT interval(3) '1'", PostgreSqlDialect()), Bug);
}

TEST(Printer, RefusesNumbersThatAreNone) {
  for (const char* text : {"", "-", "1; DROP", "0x1", "1e", ".", "--1", "1.2.3", "nan", "1 "}) {
    ast::Expr expr;
    expr.node = ast::Number{text};
    EXPECT_THROW(PrintExpr(expr, DuckDbDialect()), Bug) << text;
  }
  for (const char* text : {"0", "12.50", ".5", "5.", "1e6", "1E-6", "1.5e+3"}) {
    ast::Expr expr;
    expr.node = ast::Number{text};
    EXPECT_EQ(PrintExpr(expr, DuckDbDialect()), text);
  }
}

TEST(Printer, RefusesNulBytes) {
  EXPECT_THROW(DuckDbDialect().QuoteString(std::string_view("a\0b", 3)), Bug);
  EXPECT_THROW(DuckDbDialect().QuoteIdentifier(std::string_view("a\0b", 3)), Bug);
  EXPECT_EQ(DuckDbDialect().QuoteString("a'b\\"), "'a''b\\'");
}

TEST(Dialect, FindsFunctionsByTheirNumberOfArguments) {
  EXPECT_EQ(DuckDbDialect().FindFunction("-", 1),
            "greatest(TRY_CAST((- CAST($1 AS HUGEINT)) AS BIGINT))");
  EXPECT_EQ(DuckDbDialect().FindFunction("-", 2),
            "greatest(TRY_CAST((CAST($1 AS HUGEINT) - CAST($2 AS HUGEINT)) AS BIGINT))");
  EXPECT_EQ(DuckDbDialect().FindFunction("-", 3), "");
  EXPECT_EQ(DuckDbDialect().FindFunction("count", 0), "count($*)");
  EXPECT_EQ(DuckDbDialect().FindFunction("pg_read_file", 1), "");
  EXPECT_EQ(DuckDbDialect().FindType("int8"), "BIGINT");
  EXPECT_EQ(DuckDbDialect().FindType("regclass"), "");
}

}  // namespace
}  // namespace dpsql
