#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/opened_table.h"
#include "unit/visits_fixture.h"

namespace dpsql {
namespace {

class TwoStagesTest : public VisitsTest {
 protected:
  // Everybody is in six places and counts in two of them. The second stage chooses the same two, so
  // that a place that was selected is answered from all who counted in it, k at least.
  void ExpectWhoIsCountedContributes(Opened (VisitsTest::*open)(const std::string&)) {
    const Opened backend = (this->*open)(
        "SELECT p AS person, 'place ' || q AS place FROM range(200) a(p), range(6) b(q)");
    ASSERT_TRUE(backend.ok()) << backend.error().message;
    const auto catalog = CatalogOf(**backend);
    ASSERT_TRUE(catalog);
    const DpPlan plan =
        PlanQuery("SELECT place, count(DISTINCT person) FROM visit GROUP BY place", *catalog);
    const Door& door = plan.doors().at(0);
    Ledger ledger = Open();
    const auto paid = ledger.Reserve(plan.cost());
    ASSERT_TRUE(paid.ok()) << paid.error().message;
    auto data = (*backend)->Open(plan, *paid, nullptr);
    ASSERT_TRUE(data.ok()) << data.error().message;
    auto counts = data->Count(door);
    ASSERT_TRUE(counts.ok()) << counts.error().message;
    const OpenedTable counted = OpenTable(std::move(*counts));
    KeySet keys;
    Int128 all = 0;
    for (const auto& [key, units] : counted) {
      keys.keys.push_back({.key = key, .cells = {true}});
      all += units.at(0);
    }
    ASSERT_EQ(keys.keys.size(), 6u);
    EXPECT_TRUE(all == 2 * 200);
    auto sums = data->Sum(door, keys);
    ASSERT_TRUE(sums.ok()) << sums.error().message;
    EXPECT_EQ(OpenTable(std::move(*sums)), counted);
  }
};

TEST_F(TwoStagesTest, WhoIsCountedContributes) {
  ExpectWhoIsCountedContributes(&TwoStagesTest::OnDuckDb);
}

TEST_F(TwoStagesTest, WhoIsCountedContributesOnSqlite) {
  ExpectWhoIsCountedContributes(&TwoStagesTest::OnSqlite);
}

TEST_F(TwoStagesTest, WhoIsCountedContributesInStatements) {
  ExpectWhoIsCountedContributes(&TwoStagesTest::BehindSql);
}

}  // namespace
}  // namespace dpsql
