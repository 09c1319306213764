#include "sql/parser.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/ast_dump.h"
#include "support/query_corpus.h"

namespace dpsql {
namespace {

std::string DumpOf(std::string_view sql) {
  auto parsed = Parse(sql);
  if (!parsed.ok()) return RenderError(parsed.error(), sql);
  std::string out;
  for (const ast::Statement& statement : *parsed)
    out += (out.empty() ? "" : "; ") + Dump(statement);
  return out;
}

// The dump of `SELECT expr`'s one expression.
std::string DumpExpr(std::string_view expr) {
  const std::string dump = DumpOf("SELECT " + std::string(expr));
  const std::string_view before = "(select (items (item ";
  if (!dump.starts_with(before)) return dump;
  return dump.substr(before.size(), dump.size() - before.size() - 3);
}

TEST(Parser, ReadsNothing) {
  EXPECT_EQ(DumpOf(""), "");
  EXPECT_EQ(DumpOf(" ;; -- nothing\n"), "");
}

TEST(Parser, KeepsNegativeNumbers) {
  EXPECT_EQ(DumpExpr("-5"), "-5");
  EXPECT_EQ(DumpExpr("-(5)"), "-5");
  EXPECT_EQ(DumpExpr("- - 5"), "5");
  EXPECT_EQ(DumpExpr("-12.50"), "-12.50");
  EXPECT_EQ(DumpExpr("f(x, lower => -10, upper => 10)"),
            "(call 'f' (column 'x') lower: -10 upper: 10)");
  EXPECT_EQ(DumpExpr("x::numeric(5, -2)"), "(cast (column 'x') (type numeric 5 -2))");
  EXPECT_EQ(DumpOf("SET dp.x = -5"), "(set 'dp.x' '-5')");
  EXPECT_EQ(DumpExpr("a -5"), "(operator '-' (column 'a') 5)");
  EXPECT_EQ(DumpExpr("a IN (-1, 1)"), "(in (column 'a') (list -1 1))");
}

TEST(Parser, NamesOperatorsClearly) {
  EXPECT_EQ(DumpExpr("a != b"), "(operator '<>' (column 'a') (column 'b'))");
  EXPECT_EQ(DumpExpr("a NOT LIKE b"), "(operator 'not like' (column 'a') (column 'b'))");
  EXPECT_EQ(DumpExpr("a ~~ b"), "(operator 'like' (column 'a') (column 'b'))");
  EXPECT_EQ(DumpExpr("a SIMILAR TO b"), "(operator 'similar to' (column 'a') (column 'b'))");
  EXPECT_EQ(DumpExpr("a !~* b"), "(operator '!~*' (column 'a') (column 'b'))");
  EXPECT_EQ(DumpExpr("a LIKE b ESCAPE c"),
            "(operator 'like' (column 'a') (column 'b') (column 'c'))");
  EXPECT_EQ(DumpExpr("a IS NOT DISTINCT FROM b"),
            "(operator 'is not distinct from' (column 'a') (column 'b'))");
  EXPECT_EQ(DumpExpr("nullif(a, b)"), "(call 'nullif' (column 'a') (column 'b'))");
  EXPECT_EQ(DumpExpr("current_date"), "(call 'current_date')");
  EXPECT_EQ(DumpExpr("pg_catalog.sum(a)"), "(call 'sum' (schema 'pg_catalog') (column 'a'))");
}

TEST(Parser, FoldsNamesLikePostgres) {
  EXPECT_EQ(DumpExpr("\"A b\".Foo"), "(column 'A b' 'foo')");
  EXPECT_EQ(DumpOf("SELECT 1 FROM Orders O"),
            "(select (items (item 1)) (from (relation (table 'orders') 'o')))");
}

TEST(Parser, ReadsSetAndExplain) {
  EXPECT_EQ(DumpOf("SET dp.epsilon = 0.5; SET SESSION dp.noise TO laplace"),
            "(set 'dp.epsilon' '0.5'); (set 'dp.noise' 'laplace')");
  EXPECT_EQ(DumpOf("SET dp.a = 'it''s'"), "(set 'dp.a' 'it's')");
  EXPECT_EQ(DumpOf("EXPLAIN (DP) SELECT 1"), "(explain (select (items (item 1))))");
}

TEST(Parser, ReadsLimits) {
  EXPECT_EQ(DumpOf("SELECT 1 LIMIT ALL"), "(select (items (item 1)))");
  EXPECT_EQ(DumpOf("SELECT 1 FETCH FIRST ROW ONLY"), "(select (items (item 1)) (limit 1))");
}

TEST(Parser, ReadsWindowFrames) {
  EXPECT_EQ(DumpExpr("sum(a) OVER (ORDER BY b GROUPS BETWEEN 1 PRECEDING AND 2 FOLLOWING)"),
            "(call 'sum' (column 'a') (window (order (asc (column 'b'))) (frame 2 1 1 3 2 )))");
  EXPECT_EQ(DumpExpr("sum(a) OVER (w)"), "(call 'sum' (column 'a') (window base:w))");
}

TEST(Parser, WorksFromSeveralThreads) {
  std::vector<std::string> expected;
  for (const std::string_view sql : kQueryCorpus) expected.push_back(DumpOf(sql));
  std::vector<int> differences(4, 0);
  std::vector<std::thread> threads;
  for (int& count : differences) {
    threads.emplace_back([&expected, &count] {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (DumpOf(kQueryCorpus[i]) != expected[i]) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, std::vector<int>(4, 0));
}

// A process has 1,024 keys of thread-specific data; a parser that kept one for each statement would
// leave none for other libraries.
TEST(Parser, GivesBackItsKeys) {
  for (int i = 0; i < 1'100; ++i) ASSERT_TRUE(Parse("SELECT 1").ok());
  EXPECT_FALSE(Parse("SELECT '").ok());
  pthread_key_t key{};
  ASSERT_EQ(pthread_key_create(&key, nullptr), 0);
  pthread_key_delete(key);
}

TEST(Parser, WorksOnManyThreadsAtOnce) {
  std::atomic<int> parsed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) parsed += Parse("SELECT a FROM t").ok() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(parsed, 800);
}

}  // namespace
}  // namespace dpsql
