#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "backend/lower.h"
#include "backend/sql_snapshot.h"
#include "base/json_text.h"
#include "base/try.h"
#include "catalog/declared_schema.h"
#include "dpsql/check.h"
#include "engine/guarded.h"
#include "engine/policy_file.h"
#include "engine/read_schema.h"
#include "engine/statement_options.h"
#include "plan/plan.h"
#include "sql/dialect.h"
#include "sql/parser.h"
#include "sql/printable.h"
#include "sql/printer.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Result<const Dialect*> FindDialect(const std::string& name) {
  if (name.empty()) return static_cast<const Dialect*>(nullptr);
  for (const Dialect* dialect : AllDialects()) {
    if (dialect->name() == name) return dialect;
  }
  return MakeError(ErrorCode::kDatabaseScheme, "no dialect is known by the name " + name, {},
                   "use " + Joined(DialectNames()));
}

// What a database runs for a plan: the embedded ones send cells of units, those that are reached by
// SQL alone bound the units themselves and send groups (backend/lower_groups.h).
std::vector<ast::Select> StatementsOf(const DpPlan& plan, const Dialect& dialect) {
  std::vector<ast::Select> statements;
  const auto add = [&](std::vector<ast::Select> selects) {
    for (ast::Select& select : selects) statements.push_back(std::move(select));
  };
  for (Door door : plan.doors()) {
    if (!dialect.gives_groups()) {
      statements.push_back(LowerCells(door));
      continue;
    }
    door.rows_are_units = door.rows_are_units && dialect.enforces_keys();
    add(LowerPublicKeys(door));
    add(StagesOf(door));
  }
  return statements;
}

Result<std::vector<std::string>> PrintDoors(const DpPlan& plan, const Dialect& dialect) {
  std::vector<std::string> run;
  std::vector<ast::Select> statements = StatementsOf(plan, dialect);
  if (!plan.PlainOutputs()) statements.push_back(LowerAnswer(plan));
  for (const ast::Select& select : statements) {
    TRY_DONE(RefuseUnprintable(select, dialect));
    run.push_back(PrintSelect(select, dialect) + ";");
  }
  return run;
}

struct World {
  Catalog catalog;
  std::vector<std::string> notices;
};

Result<World> MakeDeclaredWorld(Policy policy) {
  DeclaredSchema declared = DeclareSchema(policy);
  KeepTyped(policy, declared);
  if (policy.tables.empty()) {
    return MakeError(ErrorCode::kPolicyUnavailable,
                     policy.file + ":1: the policy does not say the types of any table's columns",
                     {}, "give the database's URL, or write  columns.x = { type = \"INTEGER\" }");
  }
  TRY(Catalog catalog, Catalog::Make(std::move(policy), declared.schema));
  std::vector<std::string> notices = {"no database: types are those of the policy"};
  if (!declared.key_owners.empty()) {
    notices.push_back("keys are taken from the policy and kept by nobody: " +
                      Joined(declared.key_owners));
  }
  if (!declared.untyped.empty()) {
    notices.push_back("tables without column types are left out: " + Joined(declared.untyped));
  }
  return World{std::move(catalog), std::move(notices)};
}

Result<World> MakeWorld(const CheckOptions& options) {
  TRY(const std::string text, ReadPolicyFile(options.policy));
  TRY(Policy policy, ReadPolicy(text, options.policy));
  if (options.url.empty()) return MakeDeclaredWorld(std::move(policy));
  TRY(const Schema schema, ReadSchemaOf(options.url, policy));
  TRY(Catalog catalog, Catalog::Make(std::move(policy), schema));
  return World{std::move(catalog), {}};
}

}  // namespace

std::vector<std::string> DialectNames() {
  std::vector<std::string> names;
  for (const Dialect* dialect : AllDialects()) names.emplace_back(dialect->name());
  return names;
}

struct QueryChecker::Impl {
  Impl(World opened, const Dialect* shown) : world(std::move(opened)), dialect(shown) {}

  Result<CheckedQuery> CheckSelect(const ast::Select& select) {
    TRY(const Settings own, SettingsFor(select, world.catalog, settings));
    TRY(BoundQuery query, Validate(select, world.catalog));
    TRY(const DpPlan plan, Plan(std::move(query), own));
    CheckedQuery checked{.plan = plan.Print(), .sql = {}};
    if (dialect == nullptr) return checked;
    TRY(checked.sql, PrintDoors(plan, *dialect));
    return checked;
  }

  Status Check(const ast::Statement& statement, std::vector<CheckedQuery>& checked) {
    if (const auto* set = std::get_if<ast::SetStatement>(&statement.node)) {
      return ApplySetting(*set, world.catalog.policy(), settings);
    }
    if (const auto* alter = std::get_if<ast::AlterPrivateTable>(&statement.node)) {
      return CheckAlter(*alter, world.catalog);
    }
    const auto* ask = std::get_if<ast::SelectStatement>(&statement.node);
    const auto* explain = std::get_if<ast::ExplainStatement>(&statement.node);
    TRY(CheckedQuery query, CheckSelect(ask != nullptr ? ask->select : explain->select));
    checked.push_back(std::move(query));
    return Done{};
  }

  World world;
  const Dialect* dialect;
  Settings settings = DefaultSettings(world.catalog.policy());
};

QueryChecker::QueryChecker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
QueryChecker::QueryChecker(QueryChecker&&) noexcept = default;
QueryChecker& QueryChecker::operator=(QueryChecker&&) noexcept = default;
QueryChecker::~QueryChecker() = default;

Result<QueryChecker> QueryChecker::Open(const CheckOptions& options) {
  return Guarded([&]() -> Result<QueryChecker> {
    TRY(const Dialect* const dialect, FindDialect(options.dialect));
    TRY(World world, MakeWorld(options));
    return QueryChecker(std::make_unique<Impl>(std::move(world), dialect));
  });
}

const std::vector<std::string>& QueryChecker::notices() const { return impl_->world.notices; }

Result<std::vector<CheckedQuery>> QueryChecker::Check(std::string_view sql,
                                                      const Parameters& parameters) {
  return Guarded([&]() -> Result<std::vector<CheckedQuery>> {
    TRY(const std::vector<ast::Statement> statements, Parse(sql, parameters));
    std::vector<CheckedQuery> checked;
    for (const ast::Statement& statement : statements) {
      TRY_DONE(impl_->Check(statement, checked));
    }
    return checked;
  });
}

std::string FormatCheckedQuery(const CheckedQuery& checked, Format format) {
  std::string sql;
  for (const std::string& statement : checked.sql) sql += statement + "\n";
  if (IsJson(format)) {
    nlohmann::ordered_json object = {{"accepted", true}, {"plan", checked.plan}};
    if (!sql.empty()) object["sql"] = sql;
    return JsonText(object) + "\n";
  }
  return checked.plan + (sql.empty() ? "" : "runs\n" + sql);
}

}  // namespace dpsql
