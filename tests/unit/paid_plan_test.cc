#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/check.h"
#include "unit/visits_fixture.h"

namespace dpsql {
namespace {

constexpr const char* kNobody = "SELECT 1::BIGINT AS person, '' AS place WHERE false";

class PaidPlanTest : public VisitsTest {
 protected:
  // A reservation opens the data for its own plan, and for no other: not for more groups of a unit.
  static void ExpectOnlyWhatIsPaid(const Opened& opened, Ledger ledger) {
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    Backend& backend = **opened;
    const auto catalog = CatalogOf(backend);
    ASSERT_TRUE(catalog);
    const std::string sql = "SELECT place, count(*) FROM visit GROUP BY place";
    Settings one = DefaultSettings(catalog->policy());
    ASSERT_TRUE(TrySet("SET dp.max_groups_contributed = 1", *catalog, one).ok());
    const DpPlan bought = PlanQuery(sql, *catalog, one);
    const DpPlan other = PlanQuery(sql, *catalog);
    const auto paid = ledger.Reserve(bought.cost());
    ASSERT_TRUE(paid.ok()) << paid.error().message;
    for (const bool prepared : {false, true}) {
      auto ready = prepared ? backend.Prepare(other) : nullptr;
      EXPECT_THAT([&] { static_cast<void>(backend.Open(other, *paid, std::move(ready))); },
                  testing::ThrowsMessage<Bug>("the plan is the one paid for"));
    }
    EXPECT_TRUE(backend.Open(bought, *paid, nullptr).ok());
  }
};

TEST_F(PaidPlanTest, OnDuckDb) { ExpectOnlyWhatIsPaid(OnDuckDb(kNobody), Open()); }

TEST_F(PaidPlanTest, OnSqlite) { ExpectOnlyWhatIsPaid(OnSqlite(kNobody), Open()); }

TEST_F(PaidPlanTest, BehindSql) { ExpectOnlyWhatIsPaid(BehindSql(kNobody), Open()); }

}  // namespace
}  // namespace dpsql
