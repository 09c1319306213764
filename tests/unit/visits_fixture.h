#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backend/backend.h"
#include "backend/sql_engine.h"
#include "catalog/catalog.h"
#include "engine/no_incident_log.h"
#include "support/duckdb_sql.h"
#include "support/engine_copies.h"
#include "support/ledger_fixture.h"
#include "support/reference_duckdb.h"
#include "support/test_catalog.h"

namespace dpsql {

// The corridor's rooms one by one over a table of visits, on each of the ways to the data: DuckDB's
// own, SQLite, and the statements of the databases behind SQL.
class VisitsTest : public LedgerTest {
 public:
  using Opened = Result<std::unique_ptr<Backend>>;

  // `rows`: a SELECT of person and place.
  Opened OnDuckDb(const std::string& rows) { return OpenBackend(Make(rows), incidents_); }

  Opened OnSqlite(const std::string& rows) {
    const auto url = sqlite_.Fill("visits", Make(rows));
    EXPECT_TRUE(url.has_value());
    return OpenBackend(url.value_or(""), incidents_);
  }

  Opened BehindSql(const std::string& rows) {
    return MakeSqlBackend(OpenDuckDbSql(Make(rows), incidents_), incidents_);
  }

  static std::optional<Catalog> CatalogOf(Backend& backend) {
    const auto policy = ReadPolicy(kPolicy, "visits.toml");
    EXPECT_TRUE(policy.ok()) << policy.error().message;
    if (!policy.ok()) return std::nullopt;
    const auto schema = backend.ReadSchema(*policy);
    EXPECT_TRUE(schema.ok()) << schema.error().message;
    if (!schema.ok()) return std::nullopt;
    auto catalog = Catalog::Make(*policy, *schema);
    EXPECT_TRUE(catalog.ok()) << catalog.error().message;
    if (!catalog.ok()) return std::nullopt;
    return std::move(catalog).value();
  }

 private:
  static constexpr const char* kPolicy = R"(
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

  std::string Make(const std::string& rows) const {
    std::string file = directory_ / "visits.duckdb";
    MakeDatabaseFromText(file, "CREATE TABLE visit AS " + rows);
    return file;
  }

  NoIncidentLog incidents_;
  EngineCopies sqlite_{"sqlite"};
};

}  // namespace dpsql
