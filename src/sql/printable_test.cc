#include "sql/printable.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "sql/parser.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

// The tree of one SELECT, given to `use`.
template <typename Use>
auto WithTree(const std::string& sql, Use use) {
  const auto statements = Parse(sql);
  EXPECT_TRUE(statements.ok()) << sql;
  return use(std::get<ast::SelectStatement>(statements->front().node).select);
}

Status Refused(const std::string& sql, const Dialect& dialect) {
  return WithTree(sql, [&](const auto& select) { return RefuseUnprintable(select, dialect); });
}

// A walk that forgot one place would let the printer meet a function that it cannot write.
TEST(Printable, FindsAFunctionWhereverItStands) {
  for (const std::string sql : {
           "SELECT nope(a) FROM t",
           "SELECT count(nope(a)) FROM t",
           "SELECT count(a) FILTER (WHERE nope(a)) FROM t",
           "SELECT row_number() OVER (PARTITION BY nope(a)) FROM t",
           "SELECT row_number() OVER (ORDER BY nope(a)) FROM t",
           "SELECT row_number() OVER w FROM t WINDOW w AS (ORDER BY nope(a))",
           "SELECT a FROM t WHERE nope(a)",
           "SELECT a FROM t WHERE a AND NOT nope(b)",
           "SELECT a FROM t WHERE nope(a) IS NULL",
           "SELECT a FROM t WHERE a BETWEEN 1 AND nope(b)",
           "SELECT a FROM t WHERE a IN (1, nope(b))",
           "SELECT CASE WHEN a THEN nope(b) END FROM t",
           "SELECT CASE nope(a) WHEN 1 THEN 2 ELSE 3 END FROM t",
           "SELECT CASE WHEN a THEN 1 ELSE nope(b) END FROM t",
           "SELECT CAST(nope(a) AS integer) FROM t",
           "SELECT a FROM t WHERE (a, nope(b)) = (1, 2)",
           "SELECT a FROM t WHERE EXISTS (SELECT nope(b) FROM s)",
           "SELECT a FROM t WHERE nope(a) IN (SELECT b FROM s)",
           "SELECT a FROM t GROUP BY nope(a)",
           "SELECT a FROM t GROUP BY ROLLUP (nope(a))",
           "SELECT a FROM t GROUP BY a HAVING nope(a)",
           "SELECT a FROM t ORDER BY nope(a)",
           "SELECT a FROM t LIMIT nope(1)",
           "SELECT a FROM t OFFSET nope(1)",
           "SELECT DISTINCT ON (nope(a)) a FROM t",
           "SELECT a FROM (SELECT nope(a) AS a FROM t) AS q",
           "SELECT a FROM t JOIN s ON nope(a)",
           "SELECT a FROM t JOIN (SELECT nope(b) AS b FROM s) AS q ON true",
           "WITH q AS (SELECT nope(a) AS a FROM t) SELECT a FROM q",
           "SELECT a FROM t UNION ALL SELECT nope(b) FROM s",
           "VALUES (1), (nope(2))",
       }) {
    const Status status = Refused(sql, DuckDbDialect());
    ASSERT_FALSE(status.ok()) << sql;
    EXPECT_EQ(status.error().code, "V307") << sql;
    EXPECT_EQ(sql.substr(status.error().span.begin, 4), "nope") << sql;
  }
}

TEST(Printable, FindsATypeThatADatabaseLacks) {
  const std::string sql = "SELECT a FROM t WHERE a > CAST('1 day' AS interval)";
  EXPECT_TRUE(Refused(sql, PostgreSqlDialect()).ok());
  EXPECT_FALSE(Refused(sql, SparkDialect()).ok());
}

std::string WithRegexes(const std::vector<std::string>& patterns) {
  std::string sql = "SELECT a FROM t WHERE true";
  for (const std::string& pattern : patterns) sql += " OR a ~ '" + pattern + "'";
  return sql;
}

// PostgreSQL keeps 32 compiled ones: where they push each other out, every row compiles all of
// them.
TEST(Printable, FindsMoreRegularExpressionsThanPostgreSqlKeeps) {
  std::vector<std::string> patterns(100, "a");
  for (int i = 1; i < 16; ++i) patterns.push_back("a" + std::to_string(i));
  EXPECT_TRUE(Refused(WithRegexes(patterns), PostgreSqlDialect()).ok());
  patterns.emplace_back("b");
  const Status status = Refused(WithRegexes(patterns), PostgreSqlDialect());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "this regular expression cannot be asked of postgresql: a statement there has at most "
            "16 of them");
  EXPECT_TRUE(Refused(WithRegexes(patterns), DuckDbDialect()).ok());
}

// Each process of a parallel statement compiles those that its rows meet.
TEST(Printable, FindsRegularExpressionsThatAreLongToCompileTogether) {
  const std::string large = "(a?b?c?d?e?f?g?h?){24}";
  EXPECT_TRUE(Refused(WithRegexes({large, large, large + "x"}), PostgreSqlDialect()).ok());
  EXPECT_FALSE(Refused(WithRegexes({large, large + "x", large + "y"}), PostgreSqlDialect()).ok());
}

// It would fail when it runs, and that is after payment.
TEST(Printable, FindsMoreColumnsThanPostgreSqlTakes) {
  const auto wide = [](int columns) {
    std::string items = "1";
    for (int i = 1; i < columns; ++i) items += ", 1";
    return "SELECT count(*) FROM (SELECT " + items + ") t";
  };
  EXPECT_TRUE(Refused(wide(1600), PostgreSqlDialect()).ok());
  const Status status = Refused(wide(1601), PostgreSqlDialect());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "P102");
  EXPECT_TRUE(Refused(wide(1601), DuckDbDialect()).ok());
  EXPECT_FALSE(WithTree(wide(1600), [](const auto& select) {
                 return RefuseUnprintable(select, PostgreSqlDialect(), 1);
               }).ok());
}

TEST(Printable, LetsThroughWhatCanBePrinted) {
  const std::string sql = "SELECT coalesce(a, b) FROM t WHERE a = 1 GROUP BY 1 ORDER BY 1";
  for (const Dialect* dialect : AllDialects()) {
    EXPECT_TRUE(Refused(sql, *dialect).ok()) << dialect->name();
  }
}

// The schema of the tables that we lower is each database's own; others stay what they are.
TEST(Printable, WritesTheSchemaOfEachDatabase) {
  const auto print = [](const std::string& sql, const Dialect& dialect) {
    return WithTree(sql, [&](const auto& select) { return PrintSelect(select, dialect); });
  };
  EXPECT_EQ(print("SELECT a FROM main.t", DuckDbDialect()), R"(SELECT "a" FROM "main"."t")");
  EXPECT_EQ(print("SELECT a FROM main.t", PostgreSqlDialect()), R"(SELECT "a" FROM "t")");
  EXPECT_EQ(print("SELECT a FROM main.t", SparkDialect()), "SELECT `a` FROM `t`");
  EXPECT_EQ(print("SELECT a FROM s.t", SparkDialect()), "SELECT `a` FROM `s`.`t`");
}

}  // namespace
}  // namespace dpsql
