#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "plan/dp_plan.h"
#include "plan/settings.h"
#include "validate/bound_query.h"

namespace dpsql {

// What differs between the policies of tests. The rest is the shop of tests/databases.
struct ShopPolicy {
  std::int64_t min_frequency = 1;
  std::optional<std::int64_t> max_groups;
  std::optional<std::string> data_version = "v1";
  std::string age_upper = "100";
  std::string accountant;  // the default where it is empty
  std::string last_line;   // bytes that change nothing else
};

std::string PolicyText(const ShopPolicy& policy = {});

// The schema of tests/databases/shop.sql, written in code: no database is opened.
Schema ShopSchema();

Catalog MakeShopCatalog(const ShopPolicy& policy = {});

// The first two rooms for one SELECT. A text that does not parse ends the test with Bug.
// Requires: the catalog outlives the result.
Result<BoundQuery> TryBind(const std::string& sql, const Catalog& catalog);
Result<DpPlan> TryPlan(const std::string& sql, const Catalog& catalog, const Settings& settings);

// The same with the policy's settings, for queries that must be accepted.
BoundQuery BindQuery(const std::string& sql, const Catalog& catalog);
// What the only door of such a query asks.
BoundDoor BindDoor(const std::string& sql, const Catalog& catalog);
DpPlan PlanQuery(const std::string& sql, const Catalog& catalog);
DpPlan PlanQuery(const std::string& sql, const Catalog& catalog, const Settings& settings);

// Applies one SET statement.
Status TrySet(const std::string& sql, const Catalog& catalog, Settings& settings);

}  // namespace dpsql
