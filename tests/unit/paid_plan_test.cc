#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/sql_engine.h"
#include "base/check.h"
#include "engine/no_incident_log.h"
#include "support/duckdb_sql.h"
#include "support/engine_copies.h"
#include "support/ledger_fixture.h"
#include "support/reference_duckdb.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

constexpr const char* kPolicy = R"(
[dataset]
name = "visits"
[budget]
epsilon = 1.0
delta = 1e-6
[query]
epsilon = 0.1
min_frequency = 1
max_groups_per_unit = 2
[tables.visit]
unit = "person"
max_rows_per_unit = 10
)";

class PaidPlanTest : public LedgerTest {
 protected:
  std::string MakeVisits() const {
    std::string file = directory_ / "visits.duckdb";
    MakeDatabaseFromText(file, "CREATE TABLE visit (person BIGINT, place VARCHAR)");
    return file;
  }

  // A reservation opens the data for its own plan, and for no other: not for more groups of a unit.
  void ExpectOnlyWhatIsPaid(Result<std::unique_ptr<Backend>> opened) {
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    Backend& backend = **opened;
    const auto policy = ReadPolicy(kPolicy, "visits.toml");
    ASSERT_TRUE(policy.ok()) << policy.error().message;
    const auto schema = backend.ReadSchema(*policy);
    ASSERT_TRUE(schema.ok()) << schema.error().message;
    const auto catalog = Catalog::Make(*policy, *schema);
    ASSERT_TRUE(catalog.ok()) << catalog.error().message;
    const std::string sql = "SELECT place, count(*) FROM visit GROUP BY place";
    Settings one = DefaultSettings(*policy);
    ASSERT_TRUE(TrySet("SET dp.max_groups_contributed = 1", *catalog, one).ok());
    const DpPlan bought = PlanQuery(sql, *catalog, one);
    const DpPlan other = PlanQuery(sql, *catalog);
    Ledger ledger = Open();
    const auto paid = ledger.Reserve(bought.cost());
    ASSERT_TRUE(paid.ok()) << paid.error().message;
    for (const bool prepared : {false, true}) {
      auto ready = prepared ? backend.Prepare(other) : nullptr;
      EXPECT_THAT([&] { static_cast<void>(backend.Open(other, *paid, std::move(ready))); },
                  testing::ThrowsMessage<Bug>("the plan is the one paid for"));
    }
    EXPECT_TRUE(backend.Open(bought, *paid, nullptr).ok());
  }

  NoIncidentLog incidents_;
};

TEST_F(PaidPlanTest, OnDuckDb) { ExpectOnlyWhatIsPaid(OpenBackend(MakeVisits(), incidents_)); }

TEST_F(PaidPlanTest, OnSqlite) {
  EngineCopies copies("sqlite");
  const auto url = copies.Fill("visits", MakeVisits());
  ASSERT_TRUE(url);
  ExpectOnlyWhatIsPaid(OpenBackend(*url, incidents_));
}

TEST_F(PaidPlanTest, BehindSql) {
  ExpectOnlyWhatIsPaid(MakeSqlBackend(OpenDuckDbSql(MakeVisits(), incidents_), incidents_));
}

}  // namespace
}  // namespace dpsql
