#include "support/query_generator.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sql/parser.h"
#include "support/test_catalog.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

constexpr std::uint64_t kQueries = 2'000;

TEST(QueryGenerator, SameSeedSameText) {
  const Catalog catalog = MakeShopCatalog();
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const GeneratedQuery query = GenerateQuery(catalog.tables(), seed);
    EXPECT_EQ(query.sql, GenerateQuery(catalog.tables(), seed).sql);
    texts.insert(query.sql);
  }
  EXPECT_GT(texts.size(), 95U);
}

TEST(QueryGenerator, EndsWhereTheChoicesEnd) {
  const Catalog catalog = MakeShopCatalog();
  Choices none({});
  EXPECT_EQ(QueryGenerator(catalog.tables(), none).Next().sql, "SELECT count(*) FROM customer t1");
}

TEST(QueryGenerator, WritesSqlAndMuchOfItIsAccepted) {
  const Catalog catalog = MakeShopCatalog();
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < kQueries; ++seed) {
    const std::string sql = GenerateQuery(catalog.tables(), seed).sql;
    const auto parsed = Parse(sql);
    ASSERT_TRUE(parsed.ok()) << RenderError(parsed.error(), sql);
    const auto* ask = std::get_if<ast::SelectStatement>(&parsed->at(0).node);
    if (ask != nullptr && Validate(ask->select, catalog).ok()) ++accepted;
  }
  EXPECT_GT(accepted, kQueries / 6);
}

// What one text or another must hold: every shape that the generator promises.
TEST(QueryGenerator, MakesEveryShape) {
  const Catalog catalog = MakeShopCatalog();
  std::set<std::string> missing = {
      " JOIN ",      " LEFT JOIN ",  " RIGHT JOIN ", " FULL OUTER JOIN ", " CROSS JOIN ",
      " NATURAL ",   " USING (",     "LATERAL (",    "FROM (SELECT",      "WITH ",
      " IN (SELECT", " NOT IN (S",   " EXISTS (",    "NOT EXISTS (",      " ANY (",
      " ALL (",      " > (SELECT",   " HAVING ",     " OVER (PARTITION",  " OVER (ORDER",
      "DISTINCT ",   " UNION ALL (", " INTERSECT (", " EXCEPT (",         " LIMIT ",
      " FILTER (",   "CASE WHEN ",   "lower => ",    " / count(*)",       ".*",
      " (r",         "\"T ",         "VALUES (",     "ROLLUP (",          " ORDER BY ",
  };
  std::set<NearMiss> misses;
  for (std::uint64_t seed = 0; seed < kQueries; ++seed) {
    const GeneratedQuery query = GenerateQuery(catalog.tables(), seed);
    misses.insert(query.near_miss);
    std::erase_if(missing, [&](const std::string& shape) {
      return query.sql.find(shape) != std::string::npos;
    });
  }
  EXPECT_TRUE(missing.empty()) << *missing.begin();
  EXPECT_EQ(misses.size(), static_cast<std::size_t>(NearMiss::kHiddenColumn) + 1);
}

}  // namespace
}  // namespace dpsql
