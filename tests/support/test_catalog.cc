#include "support/test_catalog.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "plan/plan.h"
#include "sql/parser.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

template <typename T>
T MustHave(Result<T> result, const std::string& what) {
  if (!result) throw std::runtime_error(what + ": " + result.error().message);
  return std::move(result).value();
}

ast::Statement ParseOne(const std::string& sql) {
  std::vector<ast::Statement> statements = MustHave(Parse(sql), sql);
  if (statements.size() != 1) throw std::runtime_error("not one statement: " + sql);
  return std::move(statements[0]);
}

constexpr const char* kTables = R"(
[tables.customer]
unit = "customer_id"
[tables.customer.columns]
name = { hidden = true }
segment = { values = ["home", "office", "school"] }
balance = { lower = -500, upper = 1500 }
score = { lower = 0, upper = 100 }
age = { lower = 0, upper = )";

constexpr const char* kMoreTables = R"( }
[tables.orders]
unit = "customer_id"
max_rows_per_unit = 50
[tables.orders.columns]
amount = { lower = 0, upper = 1000 }
status = { values = ["open", "sent", "paid", "lost"] }
[tables.item]
unit = { through = "order_id", references = "orders.order_id" }
max_rows_per_unit = 100
[tables.item.columns]
quantity = { lower = 0, upper = 10 }
[tables.profile]
unit = "customer_id"
[tables.visit]
unit = "who"
kind = "visitor"
max_rows_per_unit = 7
[tables.visit.columns]
seconds = { lower = 0, upper = 300, nullable = false }
[tables.wild]
unit = "customer_id"
[tables.city]
public = true
[tables.fair]
public = true
)";

SchemaColumn Column(const char* name, const char* type, bool nullable = true) {
  return {.name = name, .type = ParseType(type), .nullable = nullable};
}

SchemaTable Customer() {
  return {.name = "customer",
          .columns = {Column("customer_id", "INTEGER", false), Column("name", "VARCHAR"),
                      Column("city", "VARCHAR"), Column("segment", "VARCHAR", false),
                      Column("age", "INTEGER"), Column("balance", "DECIMAL(10,2)", false),
                      Column("score", "DOUBLE"), Column("active", "BOOLEAN", false),
                      Column("born", "DATE")},
          .unique_keys = {{"customer_id"}}};
}

SchemaTable Orders() {
  return {.name = "orders",
          .columns = {Column("order_id", "BIGINT", false), Column("customer_id", "INTEGER"),
                      Column("ordered", "DATE", false), Column("amount", "DECIMAL(10,2)"),
                      Column("big", "BIGINT", false), Column("status", "VARCHAR", false)},
          .unique_keys = {{"order_id"}}};
}

}  // namespace

std::string PolicyText(const ShopPolicy& policy) {
  std::string text = "[dataset]\nname = \"shop\"\nunit = \"customer\"\n";
  if (policy.data_version) text += "[data]\nversion = \"" + *policy.data_version + "\"\n";
  text += "[budget]\nepsilon = 8.0\ndelta = 1e-6\n";
  if (!policy.accountant.empty()) text += "accountant = \"" + policy.accountant + "\"\n";
  text += "[query]\nepsilon = 1.0\nepsilon_max = 2.0\ndelta = 1e-7\n";
  text += "min_frequency = " + std::to_string(policy.min_frequency) + "\n";
  if (policy.max_groups) {
    text += "max_groups_per_unit = " + std::to_string(*policy.max_groups) + "\n";
  }
  return text + kTables + policy.age_upper + kMoreTables + policy.last_line;
}

Schema ShopSchema() {
  Schema schema;
  schema.tables = {
      Customer(),
      Orders(),
      {.name = "item",
       .columns = {Column("order_id", "BIGINT"), Column("line", "INTEGER", false),
                   Column("product", "VARCHAR", false), Column("quantity", "INTEGER", false)}},
      {.name = "profile",
       .columns = {Column("customer_id", "INTEGER", false), Column("language", "VARCHAR", false)},
       .unique_keys = {{"customer_id"}}},
      {.name = "visit",
       .columns = {Column("who", "VARCHAR"), Column("page", "VARCHAR", false),
                   Column("seconds", "INTEGER")}},
      {.name = "wild", .columns = {Column("customer_id", "INTEGER"), Column("value", "INTEGER")}},
      {.name = "city",
       .columns = {Column("name", "VARCHAR", false), Column("country", "VARCHAR", false)},
       .unique_keys = {{"name"}}},
      {.name = "fair",
       .columns = {Column("town", "VARCHAR", false), Column("year", "INTEGER", false)},
       .unique_keys = {{"town", "year"}}}};
  return schema;
}

Catalog MakeShopCatalog(const ShopPolicy& policy) {
  Policy read = MustHave(ReadPolicy(PolicyText(policy), "shop.toml"), "policy");
  return MustHave(Catalog::Make(std::move(read), ShopSchema()), "catalog");
}

Result<BoundQuery> TryBind(const std::string& sql, const Catalog& catalog) {
  const ast::Statement statement = ParseOne(sql);
  return Validate(std::get<ast::SelectStatement>(statement.node).select, catalog);
}

Result<DpPlan> TryPlan(const std::string& sql, const Catalog& catalog, const Settings& settings) {
  TRY(BoundQuery query, TryBind(sql, catalog));
  return Plan(std::move(query), settings);
}

BoundQuery BindQuery(const std::string& sql, const Catalog& catalog) {
  return MustHave(TryBind(sql, catalog), sql);
}

BoundDoor BindDoor(const std::string& sql, const Catalog& catalog) {
  const BoundQuery query = BindQuery(sql, catalog);
  const auto doors = DoorsOf(query.root());
  Check(doors.size() == 1, "the query has one door");
  return *doors[0];
}

DpPlan PlanQuery(const std::string& sql, const Catalog& catalog) {
  return PlanQuery(sql, catalog, DefaultSettings(catalog.policy()));
}

DpPlan PlanQuery(const std::string& sql, const Catalog& catalog, const Settings& settings) {
  return MustHave(TryPlan(sql, catalog, settings), sql);
}

Status TrySet(const std::string& sql, const Catalog& catalog, Settings& settings) {
  const ast::Statement statement = ParseOne(sql);
  return ApplySetting(std::get<ast::SetStatement>(statement.node), catalog.policy(), settings);
}

}  // namespace dpsql
