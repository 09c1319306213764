// The integers before noise are those that DuckDB's rows give: the same keys, the same counts with
// the same units left out beyond C0, the same sums, the same claims.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "backend/duckdb_open.h"
#include "backend/duckdb_snapshot.h"
#include "backend/sqlite_schema.h"
#include "backend/sqlite_snapshot.h"
#include "support/conformance_engines.h"
#include "support/opened_table.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

const std::string kDatabases = std::string(DPSQL_SOURCE_DIR) + "/tests/databases/";
constexpr PriorityKey kKey = {2, 7, 1, 8};

class NoIncidents : public IncidentLog {
 public:
  std::string Record(std::string_view text) override {
    ADD_FAILURE() << text;
    return "i-000001";
  }
};

class SqliteIntegers : public ::testing::Test {
 protected:
  SqliteIntegers() {
    MakeDatabase(duckdb_path_, kDatabases + "shop.sql");
    sqlite_path_ = FillSqlite(ReadDatabase(duckdb_path_), folder_ / "")->substr(7);
    Check(RowRegistry::Register(Opened().handle(), rows_), "DuckDB takes a function");
    Listing listing;
    EXPECT_FALSE(ReadSqliteSchema(*Connect(), listing));
    schema_ = listing.schema;
  }

  DuckDbDatabase& Opened() {
    if (database_.handle() == nullptr) {
      EXPECT_EQ(database_.Open(duckdb_path_, {{"access_mode", "READ_ONLY"}}), "");
    }
    return database_;
  }

  std::shared_ptr<SqliteConnection> Connect() {
    auto connection = SqliteConnection::Open(sqlite_path_, incidents_);
    EXPECT_TRUE(connection.ok());
    return connection.value();
  }

  static Catalog MakeCatalog(const Schema& schema, std::int64_t max_groups) {
    std::ostringstream text;
    text << std::ifstream(kDatabases + "shop.toml").rdbuf();
    Policy policy = ReadPolicy(text.str(), "shop.toml").value();
    policy.query.max_groups_per_unit = max_groups;
    return Catalog::Make(policy, schema).value();
  }

  // Both stages of every door; all keys of the first are summed.
  void Compare(const std::string& sql, std::int64_t max_groups) {
    SCOPED_TRACE(sql);
    const Catalog catalog = MakeCatalog(schema_, max_groups);
    const DpPlan plan = PlanQuery(sql, catalog);
    DuckDbPreparation preparation(Opened(),
                                  {.rows = rows_,
                                   .facts = nullptr,
                                   .incidents = incidents_,
                                   .threads = 2,
                                   .cell_memory = std::size_t{1} << 30,
                                   .keys = Keys::kVerified},
                                  plan, std::make_shared<StopSign>());
    auto duckdb = preparation.Finish(kKey);
    ASSERT_TRUE(duckdb.ok());
    const auto sqlite =
        MakeSqliteSnapshot(Connect(), schema_, incidents_, std::size_t{1} << 30, kKey);
    for (const Door& door : plan.doors()) CompareDoor(door, *duckdb->snapshot, *sqlite);
  }

  static void CompareDoor(const Door& door, SnapshotReader& duckdb, SnapshotReader& sqlite) {
    auto expected_keys = duckdb.KnownKeys(door);
    auto keys = sqlite.KnownKeys(door);
    ASSERT_TRUE(expected_keys.ok() && keys.ok());
    std::sort(expected_keys->begin(), expected_keys->end());
    std::sort(keys->begin(), keys->end());
    EXPECT_EQ(*keys, *expected_keys);
    auto expected_counts = duckdb.Count(door);
    auto counts = sqlite.Count(door);
    ASSERT_TRUE(expected_counts.ok() && counts.ok());
    const OpenedTable counted = OpenTable(std::move(expected_counts).value());
    EXPECT_EQ(OpenTable(std::move(counts).value()), counted);
    KeySet all;
    for (const auto& [key, numbers] : counted) {
      all.keys.push_back({.key = key, .cells = std::vector<bool>(door.classes.size(), true)});
    }
    for (const auto& key : *expected_keys) {
      if (counted.contains(key)) continue;
      all.keys.push_back({.key = key, .cells = std::vector<bool>(door.classes.size(), true)});
    }
    auto expected_sums = duckdb.Sum(door, all);
    auto sums = sqlite.Sum(door, all);
    ASSERT_TRUE(expected_sums.ok() && sums.ok());
    const OpenedTable summed = OpenTable(std::move(expected_sums).value());
    EXPECT_FALSE(summed.empty());
    EXPECT_EQ(OpenTable(std::move(sums).value()), summed);
  }

  TempFolder folder_;
  const std::string duckdb_path_ = folder_ / "shop.duckdb";
  std::string sqlite_path_;
  NoIncidents incidents_;
  DuckDbDatabase database_;
  std::shared_ptr<RowRegistry> rows_ = std::make_shared<RowRegistry>();
  Schema schema_;
};

TEST_F(SqliteIntegers, AreThoseOfDuckDb) {
  for (const char* sql :
       {"SELECT count(*), count(age), avg(age), sum(balance), var_pop(score) FROM customer",
        "SELECT city, count(*), sum(age) FROM customer GROUP BY city",
        "SELECT segment, active, count(*), avg(score) FROM customer GROUP BY segment, active",
        "SELECT ordered, count(*), sum(amount) FROM orders GROUP BY ordered",
        "SELECT ordered, count(DISTINCT customer_id) FROM orders GROUP BY ordered",
        "SELECT count(DISTINCT ordered), count(DISTINCT big % 7), sum(amount) FROM orders",
        "SELECT product, count(*), sum(quantity) FROM item GROUP BY product",
        "SELECT c.city, count(*), sum(o.amount) FROM customer c JOIN orders o ON c.customer_id = "
        "o.customer_id WHERE c.age > 30 GROUP BY c.city",
        "SELECT page, count(*), sum(seconds) FROM visit GROUP BY page",
        "SELECT n, count(*) FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY "
        "customer_id) q GROUP BY n",
        "SELECT covar_pop(age, balance) FROM customer WHERE city LIKE 'P%'"}) {
    Compare(sql, 2);
    Compare(sql, 100);
  }
}

class KeptIncidents : public IncidentLog {
 public:
  std::string Record(std::string_view text) override {
    last = text;
    return "i-000001";
  }
  std::string last;
};

TEST_F(SqliteIntegers, CellsThatOutgrowTheirMemoryAreRefused) {
  const Catalog catalog = MakeCatalog(schema_, 100);
  const DpPlan plan = PlanQuery("SELECT ordered, count(*) FROM orders GROUP BY ordered", catalog);
  KeptIncidents log;
  const auto sqlite = MakeSqliteSnapshot(Connect(), schema_, log, 1000, kKey);
  const auto refused = sqlite->Count(plan.doors()[0]);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "E503");
  EXPECT_EQ(log.last, "the cells of units and groups outgrew memory");
}

}  // namespace
}  // namespace dpsql
