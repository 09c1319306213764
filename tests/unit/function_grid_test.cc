// Every function of the registry is total: evaluated by DuckDB on every pair of hostile values it
// never fails, never gives NaN, and is never NULL where the binder says so.
#include <gtest/gtest.h>

#include <set>

#include "sql/dialect.h"
#include "sql/pattern_call.h"
#include "support/function_grid.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

class FunctionGrid : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder();
    MakeGridDatabase(*folder_ / "grid.duckdb");
  }
  static void TearDownTestSuite() { delete folder_; }

  // Columns that are called as the texts of functions call their own variables.
  static constexpr const char* kNamesakes = "'?' AS p, '?' AS v, '?' AS n, '?' AS d, '?' AS q";

  // Runs one call over a table: NULLs and NaNs among its results.
  static void Run(const std::string& table, const std::string& call) {
    const PrintedExpr printed = PrintOver(table, call, GridCatalog());
    const bool is_float = printed.type.family == TypeFamily::kFloat;
    const auto rows = QueryReference(
        *folder_ / "grid.duckdb",
        "SELECT count(*) - count(x), " +
            std::string(is_float ? "count(*) FILTER (WHERE isnan(x))" : "0") +
            ", min(typeof(x)), max(length(CAST(x AS VARCHAR))) FROM (SELECT " + printed.sql +
            " AS x FROM (SELECT *, " + kNamesakes + " FROM main." + table + ") AS s0)");
    EXPECT_EQ(std::get<std::int64_t>(rows[0][1]), 0) << "NaN from " << call;
    if (!printed.nullable) {
      EXPECT_EQ(std::get<std::int64_t>(rows[0][0]), 0) << "NULL from " << call;
    }
    EXPECT_EQ(ParseType(std::get<std::string>(rows[0][2])).family, printed.type.family) << call;
    if (const auto* longest = std::get_if<std::int64_t>(&rows[0][3])) {
      EXPECT_LE(*longest, 5000) << call;  // as long as the longest text of the grid
    }
  }

  static inline TempFolder* folder_ = nullptr;
};

TEST_F(FunctionGrid, NoValueMakesAnyFunctionFail) {
  for (const ScalarFunction& function : AllScalarFunctions()) {
    for (const std::string& call : GridCalls(function)) {
      Run("grid", call);
      Run("solid", call);
    }
  }
}

// A date beyond the range of timestamps is NULL where it meets one.
TEST_F(FunctionGrid, ADateBesideATimestampMayBeNull) {
  for (const char* call :
       {"d1 < z1", "z1 = d1", "coalesce(d1, z1)", "greatest(d1, z1)", "least(z1, d1)",
        "case when b1 then d1 else z1 end", "z1 in (d1, z2)", "d1 is distinct from z1"}) {
    Run("solid", call);
  }
}

// A decimal stays one beside a NULL that is written out.
TEST_F(FunctionGrid, ANullTakesTheTypeOfADecimal) {
  for (const char* call : {"coalesce(x1, NULL)", "case when b1 then x1 else NULL end",
                           "greatest(NULL, h1)", "nullif(x1, NULL)"}) {
    Run("grid", call);
  }
}

TEST(Functions, AreMoreThanOneHundredAndTwenty) {
  std::set<std::string_view> names;
  for (const ScalarFunction& function : AllScalarFunctions()) names.insert(function.name);
  EXPECT_GE(names.size(), 120U);
}

TEST(Functions, HaveATextOrAReasonInEveryDialect) {
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (function.key.empty()) continue;
    const std::size_t count =
        function.arguments.size() + (function.arguments.ends_with('+') ? 1 : 0);
    for (const Dialect* dialect : AllDialects()) {
      const bool has_text =
          !dialect->FindFunction(function.key, PlacesOf(function.key, count, dialect->regexes()))
               .empty();
      const bool has_reason = !dialect->FindRefusal(function.key).empty();
      EXPECT_TRUE(has_text || has_reason) << dialect->name() << ": " << function.key;
    }
    EXPECT_FALSE(DuckDbDialect().FindFunction(function.key, count).empty()) << function.key;
  }
}

// An argument that stands twice would double with every level of nesting.
TEST(Functions, WriteEachArgumentOnce) {
  for (const ScalarFunction& function : AllScalarFunctions()) {
    for (const Dialect* dialect : AllDialects()) {
      const std::string text(dialect->FindFunction(function.key, function.arguments.size()));
      for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const std::string place = "$" + std::to_string(i + 1);
        const bool literal = !LiteralFor(function.arguments[i], false).empty();
        const std::size_t first = text.find(place);
        if (literal || first == std::string::npos) continue;
        EXPECT_EQ(text.find(place, first + 1), std::string::npos) << dialect->name() << text;
      }
    }
  }
}

}  // namespace
}  // namespace dpsql
