#include <gtest/gtest.h>

#include "dpsql/session.h"
#include "support/temp_folder.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

// Numbers computed above a door from its estimates, row by row, have an interval. Where a part is
// computed across released rows its noise is not followed: then there is none, not one that is too
// short.
TEST(DerivedIntervalTest, IsThereWhereAllNoiseIsFollowedOnly) {
  const TempFolder folder;
  const std::string database = folder / "shop.duckdb";
  MakeCustomers(database, {.customers = 3000});
  const TestHouse house(database, {.epsilon_budget = "90.0", .delta_budget = "1e-4"});
  Session session = house.Open();
  const std::string released =
      " FROM (SELECT segment, count(*) AS n, avg(age) AS a FROM customer GROUP BY segment) t";
  struct Case {
    std::string expression;
    bool has_interval;
  };
  for (const auto& [expression, has_interval] : std::vector<Case>{
           {"n", true},
           {"2 * n + a", true},
           {"CASE WHEN n > 10 THEN a ELSE n END", true},
           {"n + length(segment)", true},
           {"n - sum(n) OVER ()", false},
           {"n + rank() OVER (ORDER BY n)", false},
           {"n + rank() OVER (ORDER BY segment)", true},
           {"n - (SELECT max(n)" + released + ")", false},
           {"CASE WHEN EXISTS (SELECT 1" + released + " WHERE t.n > 5) THEN n ELSE 0 END", false},
       }) {
    const auto answer = session.Ask("SELECT " + expression + " AS x" + released);
    ASSERT_TRUE(answer.ok()) << expression << ": " << answer.error().message;
    ASSERT_EQ(answer->rows.size(), 3u);
    EXPECT_EQ(answer->intervals[0][0].has_value(), has_interval) << expression;
  }
  const auto lost = session.Ask(
      "SELECT n + CASE WHEN big THEN 1 ELSE 0 END AS x FROM (SELECT n, "
      "n > 900 AS big" +
      released + ") u");
  ASSERT_TRUE(lost.ok()) << lost.error().message;
  EXPECT_FALSE(lost->intervals[0][0].has_value()) << "a boolean that was computed from an estimate";
}

}  // namespace
}  // namespace dpsql
