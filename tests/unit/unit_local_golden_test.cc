// Every query that a golden file shows as accepted, read a second time by
// support/unit_local_walk.h.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "catalog/declared_schema.h"
#include "engine/read_schema.h"
#include "golden/golden_file.h"
#include "sql/parser.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "support/unit_local_walk.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

const std::string kTests = std::string(DPSQL_SOURCE_DIR) + "/tests/";

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

Policy PolicyOf(const std::string& name) {
  const std::string path = kTests + "databases/" + name;
  auto policy = ReadPolicy(ReadAll(path), path);
  if (!policy) throw std::runtime_error(policy.error().message);
  return std::move(policy).value();
}

// Walks the statements of a text; how many were accepted.
int WalkAll(const std::string& sql, const Catalog& catalog) {
  const auto statements = Parse(sql);
  if (!statements.ok()) return 0;
  int accepted = 0;
  for (const ast::Statement& statement : *statements) {
    const auto* ask = std::get_if<ast::SelectStatement>(&statement.node);
    const auto* explain = std::get_if<ast::ExplainStatement>(&statement.node);
    if (ask == nullptr && explain == nullptr) continue;
    const auto bound = Validate(ask != nullptr ? ask->select : explain->select, catalog);
    if (!bound.ok()) continue;
    ++accepted;
    EXPECT_EQ(FindBrokenPromise(bound->root(), catalog), std::nullopt) << sql;
  }
  return accepted;
}

// The catalogs of the golden files: a policy laid over a database.
class Catalogs {
 public:
  const Catalog& Of(const std::string& database, const std::string& policy) {
    const std::string path = folder_ / (database + ".duckdb");
    if (!std::filesystem::exists(path)) {
      MakeDatabase(path, kTests + "databases/" + database + ".sql");
    }
    const auto known = catalogs_.find(database + policy);
    if (known != catalogs_.end()) return known->second;
    Policy read = PolicyOf(policy);
    const auto schema = ReadSchemaOf(path, read);
    if (!schema) throw std::runtime_error(schema.error().message);
    auto catalog = Catalog::Make(std::move(read), *schema);
    if (!catalog) throw std::runtime_error(catalog.error().message);
    return catalogs_.emplace(database + policy, std::move(catalog).value()).first->second;
  }

 private:
  TempFolder folder_;
  std::map<std::string, Catalog> catalogs_;
};

// Walks the cases of a folder; how many were accepted. Policies under bad/ cannot be read.
int WalkFolder(const std::string& kind, Catalogs& catalogs) {
  int accepted = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kTests + kind)) {
    if (entry.path().extension() != ".test") continue;
    const GoldenFile file = ReadGoldenFile(entry.path());
    const std::string& database = file.head.directives.at("database");
    for (const GoldenCase& golden : file.cases) {
      const std::string policy = file.Directive(golden, "policy").value_or(database + ".toml");
      if (policy.starts_with("bad/")) continue;
      accepted += WalkAll(golden.sql, catalogs.Of(database, policy));
    }
  }
  return accepted;
}

TEST(UnitLocalGolden, AcceptedQueriesKeepTheirPromises) {
  Catalogs catalogs;
  EXPECT_GT(WalkFolder("plans", catalogs), 100);
  EXPECT_GT(WalkFolder("sql", catalogs), 100);
  EXPECT_GT(WalkFolder("threats", catalogs), 40);
  EXPECT_GT(WalkFolder("flaws", catalogs), 20);
}

TEST(UnitLocalGolden, TpchKeepsItsPromises) {
  const Policy policy = PolicyOf("tpch.toml");
  const Schema schema = DeclareSchema(policy).schema;
  const auto catalog = Catalog::Make(policy, schema);
  ASSERT_TRUE(catalog.ok());
  int accepted = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTests + "tpch")) {
    if (entry.path().extension() != ".sql") continue;
    accepted += WalkAll(ReadAll(entry.path()), *catalog);
  }
  EXPECT_GE(accepted, 14);
}

}  // namespace
}  // namespace dpsql
