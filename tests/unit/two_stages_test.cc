#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "backend/backend.h"
#include "engine/no_incident_log.h"
#include "support/ledger_fixture.h"
#include "support/opened_table.h"
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

class TwoStagesTest : public LedgerTest {};

// Everybody is in six places and counts in two of them. The second stage chooses the same two, so
// that a place that was selected is answered from all who counted in it, k at least.
TEST_F(TwoStagesTest, WhoIsCountedContributes) {
  const std::string database = directory_ / "visits.duckdb";
  MakeDatabaseFromText(database,
                       "CREATE TABLE visit AS SELECT p AS person, 'place ' || q AS place "
                       "FROM range(200) a(p), range(6) b(q)");
  NoIncidentLog incidents;
  const auto policy = ReadPolicy(kPolicy, "visits.toml");
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  const auto backend = OpenBackend(database, incidents);
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  const auto schema = (*backend)->ReadSchema(*policy);
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const auto catalog = Catalog::Make(*policy, *schema);
  ASSERT_TRUE(catalog.ok()) << catalog.error().message;
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

}  // namespace
}  // namespace dpsql
