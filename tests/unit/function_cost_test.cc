// No row makes an expression slow: the cost of a row is bounded by the expression and by the length
// of its texts, not by what the values are. Each of these took seconds to hours on one row.
#include <gtest/gtest.h>

#include <cctype>
#include <ctime>
#include <utility>

#include "support/function_grid.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

// Seconds of this process for one expression over one row.
double Cost(const std::string& expr, const std::string& row) {
  const TempFolder folder;
  const std::string path = folder / "cost.duckdb";
  MakeDatabaseFromText(path, "CREATE TABLE one AS SELECT " + row);
  const std::string sql =
      "SELECT " + PrintOver("grid", expr, GridCatalog()).sql + " FROM main.one AS s0";
  const std::clock_t start = std::clock();
  QueryReference(path, sql);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Every level overflows. DuckDB's TRY would evaluate each level twice: 2 seconds for 16 of them,
// 9 hours for 30.
TEST(FunctionCost, DoesNotDoubleWithEveryOverflow) {
  std::string expr = "i1";
  for (int i = 0; i < 16; ++i) expr = "coalesce(" + expr + " + 1, 9223372036854775807)";
  EXPECT_LT(Cost(expr, "9223372036854775807 AS i1"), 0.5);
  for (const ScalarFunction& function : AllScalarFunctions()) {
    for (std::size_t count = 0; count < 8; ++count) {
      const std::string text = "(" + std::string(DuckDbDialect().FindFunction(function.key, count));
      EXPECT_EQ(text.find("(TRY("), std::string::npos) << text;
      EXPECT_EQ(text.find(" TRY("), std::string::npos) << text;
    }
  }
}

// DuckDB's nullif and split_part write their argument twice: 27 seconds for 16 levels.
TEST(FunctionCost, DoesNotDoubleWithEveryLevel) {
  for (const auto& [before, behind] :
       {std::pair{"(", " + 1)"}, std::pair{"nullif(", ", 5)"}, std::pair{"sqrt(", ")"},
        std::pair{"(", " / 2)"}, std::pair{"log(2, ", ")"}}) {
    std::string expr = "r1";
    for (int i = 0; i < 14; ++i) expr = before + expr + behind;
    EXPECT_LT(Cost(expr, "CAST(1.5 AS DOUBLE) AS r1"), 0.5) << expr;
  }
  const TempFolder folder;
  MakeDatabaseFromText(folder / "macros.duckdb", "CREATE TABLE one AS SELECT 1 AS i1");
  const auto macros = QueryReference(folder / "macros.duckdb",
                                     "SELECT DISTINCT function_name FROM duckdb_functions() WHERE "
                                     "function_type = 'macro'");
  EXPECT_GT(macros.size(), 10U);
  for (const ScalarFunction& function : AllScalarFunctions()) {
    for (std::size_t count = 0; count < 8; ++count) {
      const std::string text(DuckDbDialect().FindFunction(function.key, count));
      for (const auto& macro : macros) {
        const std::string call = std::get<std::string>(macro[0]) + "(";
        const std::size_t at = text.find(call);
        const bool whole = at == 0 || (at != std::string::npos && std::isalpha(text[at - 1]) == 0 &&
                                       text[at - 1] != '_');
        EXPECT_FALSE(whole) << call << " in " << text;
      }
    }
  }
}

// The deepest expression that the binder takes is not too deep for DuckDB.
TEST(FunctionCost, OfTheDeepestExpressionIsPaid) {
  for (const auto& [before, behind] :
       {std::pair{"power(", ", 1)"}, std::pair{"(1.5 % ", ")"}, std::pair{"log(2, ", ")"},
        std::pair{"(-", ")"}, std::pair{"nullif(", ", 5)"}}) {
    std::string expr = "r1";
    for (int i = 0; i < 99; ++i) expr = before + expr + behind;
    EXPECT_LT(Cost(expr, "CAST(1.5 AS DOUBLE) AS r1"), 10) << before;
  }
}

// DuckDB's own LIKE tries every place for every %, and it makes a LIKE of a regular expression
// that looks like one: 3 seconds each, with the cube of the length.
TEST(FunctionCost, OfPatternsIsLinearInTheText) {
  for (const char* expr : {
           "t1 LIKE '%a_%a_%a_b'",
           "t1 ILIKE '%a%A%a%b'",
           "t1 NOT ILIKE '%a_%a_%a_b'",
           "t1 LIKE '%!%%a%a%b' ESCAPE '!' OR t1 LIKE '%a%a!%%b' ESCAPE '!'",
           "t1 ~ '.*a..*a..*a.b'",
           "t1 !~ '.*a..*a..*a.b'",
       }) {
    EXPECT_LT(Cost(expr, "repeat('a', 1500) AS t1"), 0.5) << expr;
  }
}

// A text is cut before it is replaced in, to what cannot become longer than 65,536 characters:
// replaced first, 2,048 rows that are held at a time would be 20 GB.
TEST(FunctionCost, OfAReplacementIsBounded) {
  const TempFolder folder;
  const std::string path = folder / "replace.duckdb";
  MakeDatabaseFromText(path, "CREATE TABLE one AS SELECT repeat('a', 100000) AS t1");
  const auto length = [&](const char* search, std::size_t size) {
    const std::string call =
        "length(replace(t1, '" + std::string(search) + "', '" + std::string(size, 'x') + "'))";
    const auto rows = QueryReference(
        path, "SELECT " + PrintOver("grid", call, GridCatalog()).sql + " FROM main.one AS s0");
    return std::get<std::int64_t>(rows[0][0]);
  };
  EXPECT_EQ(length("a", 100), 4'096);
  EXPECT_EQ(length("b", 100), 655);
  EXPECT_EQ(length("b", 1), 4'096);
  EXPECT_EQ(length("a", 0), 0);
  for (const Dialect* const dialect : AllDialects()) {
    const std::string_view text = dialect->FindFunction("replace", 3);
    EXPECT_NE(text.find("65536 "), std::string_view::npos) << dialect->name();
  }
}

// To look for a long text in a long one takes as many steps as the product of both: 25 seconds for
// twenty of these, when made-up texts had 65,536 characters and all of a text was looked for.
TEST(FunctionCost, OfASearchIsBounded) {
  const std::string haystack = "repeat(repeat(repeat(t1, 100), 100), 100)";
  std::string found = "0";
  std::string replaced = "''";
  for (int i = 0; i < 20; ++i) {
    const std::string needle = "left(" + haystack + ", 3" + std::to_string(1000 + i) + ") || 'b'";
    found += " + strpos(" + haystack + ", " + needle + ")";
    replaced += " || replace(" + haystack + ", " + needle + ", 'c')";
  }
  EXPECT_LT(Cost(found, "'a' AS t1"), 0.5);
  EXPECT_LT(Cost(replaced, "'a' AS t1"), 0.5);
  for (const Dialect* const dialect : AllDialects()) {
    for (const auto& [name, count] : {std::pair{"strpos", 2}, std::pair{"replace", 3}}) {
      const std::string_view text = dialect->FindFunction(name, static_cast<std::size_t>(count));
      EXPECT_NE(text.find(" 256)"), std::string_view::npos) << dialect->name() << text;
    }
  }
}

// A text is cut before it is put behind others: 3,000 times two million letters are more than a
// text of DuckDB can hold, and the question would end in an error on this row alone.
TEST(FunctionCost, OfATextNamedOftenIsBounded) {
  const TempFolder folder;
  const std::string path = folder / "concat.duckdb";
  MakeDatabaseFromText(path, "CREATE TABLE one AS SELECT repeat('a', 2000000) AS t1");
  std::string texts = "t1";
  for (int i = 1; i < 3000; ++i) texts += ", t1";
  for (const std::string& call : {"concat(" + texts + ")", "concat_ws('-', " + texts + ")"}) {
    const std::string sql = PrintOver("grid", "length(" + call + ")", GridCatalog()).sql;
    const auto rows = QueryReference(path, "SELECT " + sql + " FROM main.one AS s0");
    EXPECT_EQ(std::get<std::int64_t>(rows[0][0]), 4'096);
  }
}

// -0.0 and 0.0 are equal, so nothing may tell them apart: of two rows that are equal as keys, any
// may stand for both.
TEST(FunctionCost, NothingTellsMinusZeroFromZero) {
  const TempFolder folder;
  const std::string path = folder / "zero.duckdb";
  MakeDatabaseFromText(path, "CREATE TABLE unused AS SELECT 1 AS id");
  // Not from a table: what DuckDB stores compressed may have lost the sign already.
  const std::string from = " FROM (SELECT unnest(['0', '-0']::DOUBLE[]) AS r1) AS s0";
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (function.arguments.find_first_not_of("rncm") != std::string_view::npos) continue;
    if (function.arguments.empty()) continue;
    std::vector<std::string> arguments = GridArguments(function, "r", "r", "z");
    for (std::string& argument : arguments) {
      if (argument == "r2") argument = "r1";
    }
    const std::string call = WriteCall(function.name, arguments);
    const auto rows =
        QueryReference(path, "SELECT count(DISTINCT coalesce(x, 99)) FROM (SELECT " +
                                 PrintOver("grid", call, GridCatalog()).sql + " AS x" + from + ")");
    EXPECT_EQ(std::get<std::int64_t>(rows[0][0]), 1) << call;
  }
}

}  // namespace
}  // namespace dpsql
