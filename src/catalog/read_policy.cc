#include <toml++/toml.h>
#include <limits>
#include <utility>

#include "base/error_codes.h"
#include "base/sha256.h"
#include "base/try.h"
#include "catalog/policy.h"
#include "catalog/toml_section.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMaxCount = 1'000'000'000;
constexpr NumberRange kEpsilonRange{.low = kSmallestEpsilon, .high = 100};
constexpr NumberRange kDeltaRange{.low = kSmallestDelta, .high = 1, .open_high = true};
constexpr NumberRange kShareRange{.low = 0.001, .high = 0.999};
constexpr NumberRange kBoundRange{.low = -1e100, .high = 1e100};
constexpr std::int64_t kDefaultMinFrequency = 10;
// A default question takes a fortieth of epsilon; under the GDP filter some hundreds fit.
constexpr double kDefaultEpsilonShare = 1.0 / 40;
constexpr double kDefaultDeltaShare = 0.1;

Status ReadDataset(TomlSection& root, Policy& policy) {
  const toml::table* table = root.Table("dataset");
  if (table == nullptr) {
    return MakeError(ErrorCode::kPolicyKey, policy.file + ":1: the policy has no [dataset]", {},
                     "add  [dataset]  and  name = \"…\"");
  }
  TomlSection section(*table, "dataset", policy.file);
  policy.dataset = section.Required(section.Text("name"), "name");
  policy.unit_kind = section.Text("unit").value_or("unit");
  return section.Finish();
}

Status ReadData(TomlSection& root, Policy& policy) {
  const toml::table* table = root.Table("data");
  if (table == nullptr) return Done{};
  TomlSection section(*table, "data", policy.file);
  policy.data_version = section.Text("version");
  return section.Finish();
}

Status ReadBudget(TomlSection& root, Policy& policy) {
  const toml::table* table = root.Table("budget");
  if (table == nullptr) {
    return MakeError(ErrorCode::kPolicyKey, policy.file + ":1: the policy has no [budget]", {},
                     "add  [budget]  with  epsilon = 4.0  and  delta = 1e-6");
  }
  TomlSection section(*table, "budget", policy.file);
  policy.budget.epsilon = section.Required(section.Number("epsilon", kEpsilonRange), "epsilon");
  policy.budget.delta = section.Required(section.Number("delta", kDeltaRange), "delta");
  policy.budget.threshold_share =
      section.Number("threshold_share", kShareRange).value_or(policy.budget.threshold_share);
  const std::string accountant = section.Text("accountant").value_or("gdp");
  if (accountant != "gdp") {
    section.Unavailable("accountant", "the accountant \"" + accountant + "\"");
  }
  section.Unavailable("analysts", "a budget per analyst");
  section.Unavailable("pure_epsilon", "a purse of pure epsilon");
  section.Unavailable("renew", "a renewing budget");
  return section.Finish();
}

Status CheckQuery(TomlSection& section, const QueryPolicy& query) {
  if (query.epsilon > query.epsilon_max) {
    section.Fail(nullptr, "[query] epsilon is above epsilon_max");
  }
  if (query.delta > query.delta_max) section.Fail(nullptr, "[query] delta is above delta_max");
  return section.Finish();
}

Status ReadQuery(TomlSection& root, Policy& policy) {
  static const toml::table kEmpty;
  const toml::table* table = root.Table("query");
  TomlSection section(table != nullptr ? *table : kEmpty, "query", policy.file);
  QueryPolicy& query = policy.query;
  const BudgetPolicy& budget = policy.budget;
  query.epsilon =
      section.Number("epsilon", kEpsilonRange).value_or(budget.epsilon * kDefaultEpsilonShare);
  query.epsilon_max = section.Number("epsilon_max", kEpsilonRange).value_or(budget.epsilon);
  query.delta = section.Number("delta", kDeltaRange).value_or(budget.delta * kDefaultDeltaShare);
  query.delta_max = section.Number("delta_max", kDeltaRange).value_or(budget.delta);
  query.min_frequency =
      section.Integer("min_frequency", 0, kMaxCount).value_or(kDefaultMinFrequency);
  query.max_groups_per_unit = section.Integer("max_groups_per_unit", 1, 1'000'000);
  section.Unavailable("timeout", "a time limit");
  section.Unavailable("aborts_allowed", "a limit on aborted queries");
  return CheckQuery(section, query);
}

Result<LinkPolicy> ReadLink(const toml::table& table, const std::string& name,
                            const std::string& file) {
  TomlSection section(table, name, file);
  LinkPolicy link;
  link.columns = section.Texts("through");
  const std::vector<std::string> references = section.Texts("references");
  if (link.columns.empty() || link.columns.size() != references.size()) {
    section.Fail(&table, "[" + name + "] unit names as many columns in through as in references",
                 "write  unit = { through = \"child_column\", references = \"parent.column\" }");
  }
  for (const std::string& reference : references) {
    const std::size_t dot = reference.find('.');
    const std::string parent = reference.substr(0, dot);
    const bool same_parent = link.parent_table.empty() || link.parent_table == parent;
    if (dot == std::string::npos || !same_parent) {
      section.Fail(&table, "[" + name + "] references are columns of one table, \"parent.column\"");
      break;
    }
    link.parent_table = parent;
    link.parent_columns.push_back(reference.substr(dot + 1));
  }
  TRY_DONE(section.Finish());
  return link;
}

void ReadValues(TomlSection& section, ColumnPolicy& column) {
  const toml::node* node = section.Node("values");
  if (node == nullptr) return;
  const toml::array* array = node->as_array();
  if (array == nullptr || array->empty()) {
    section.Fail(node, "[" + section.name() + "] values is a list with at least one value");
    return;
  }
  for (const toml::node& item : *array) {
    if (const auto text = item.value_exact<std::string>()) {
      column.values.emplace_back(*text);
    } else if (const auto integer = item.value_exact<std::int64_t>()) {
      column.values.emplace_back(*integer);
    } else if (const auto flag = item.value_exact<bool>()) {
      column.values.emplace_back(*flag);
    } else {
      section.Fail(&item, "[" + section.name() + "] values are texts, whole numbers or booleans");
    }
  }
}

Result<ColumnPolicy> ReadColumn(const toml::table& table, std::string_view key,
                                const std::string& parent, const std::string& file) {
  TomlSection section(table, parent + "." + std::string(key), file);
  ColumnPolicy column{.name = std::string(key), .line = section.line()};
  column.nullable = section.Boolean("nullable");
  column.hidden = section.Boolean("hidden").value_or(false);
  column.lower = section.Number("lower", kBoundRange);
  column.upper = section.Number("upper", kBoundRange);
  ReadValues(section, column);
  section.Unavailable("type", "a column type in the policy");
  if (column.lower.has_value() != column.upper.has_value()) {
    section.Fail(nullptr, "[" + section.name() + "] lower and upper come together");
  }
  if (column.lower && column.upper && !(*column.lower < *column.upper)) {
    section.Fail(nullptr, "[" + section.name() + "] lower is not below upper");
  }
  TRY_DONE(section.Finish());
  return column;
}

Status ReadColumns(TomlSection& section, const std::string& file, TablePolicy& table) {
  const toml::table* columns = section.Table("columns");
  if (columns == nullptr) return Done{};
  for (const auto& [key, node] : *columns) {
    const toml::table* entry = node.as_table();
    if (entry == nullptr) {
      section.Fail(&node, "[" + section.name() + ".columns] " + std::string(key.str()) +
                              " is written as { lower = …, upper = … }");
      return section.Finish();
    }
    TRY(ColumnPolicy column, ReadColumn(*entry, key.str(), section.name() + ".columns", file));
    table.columns.push_back(std::move(column));
  }
  return Done{};
}

Status ReadUnit(TomlSection& section, const std::string& file, TablePolicy& table) {
  const toml::node* unit = section.Node("unit");
  if (unit == nullptr) return Done{};
  if (const auto column = unit->value_exact<std::string>()) {
    table.unit_column = *column;
    return Done{};
  }
  const toml::table* link = unit->as_table();
  if (link == nullptr) {
    section.Fail(unit,
                 "[" + section.name() + "] unit is a column's name or { through, references }");
    return section.Finish();
  }
  TRY(table.link, ReadLink(*link, section.name(), file));
  return Done{};
}

Result<TablePolicy> ReadTable(const toml::table& entry, std::string_view key,
                              const Policy& policy) {
  TomlSection section(entry, "tables." + std::string(key), policy.file);
  TablePolicy table{.name = std::string(key), .line = section.line()};
  table.is_public = section.Boolean("public").value_or(false);
  table.kind = section.Text("kind").value_or(policy.unit_kind);
  table.max_rows_per_unit = section.Integer("max_rows_per_unit", 1, 1'000'000);
  section.Unavailable("source", "a file as a table");
  TRY_DONE(ReadUnit(section, policy.file, table));
  TRY_DONE(ReadColumns(section, policy.file, table));
  const bool has_unit = table.unit_column.has_value() || table.link.has_value();
  if (has_unit == table.is_public) {
    section.Fail(nullptr, "[" + section.name() + "] is either public or has a unit",
                 "add  unit = \"column\"  for a private table, or  public = true");
  }
  TRY_DONE(section.Finish());
  return table;
}

Status ReadTables(TomlSection& root, Policy& policy) {
  const toml::table* tables = root.Table("tables");
  if (tables == nullptr || tables->empty()) {
    return MakeError(ErrorCode::kPolicyKey, policy.file + ":1: the policy declares no table", {},
                     "add  [tables.customer]  and  unit = \"customer_id\"");
  }
  for (const auto& [key, node] : *tables) {
    const toml::table* entry = node.as_table();
    if (entry == nullptr) {
      root.Fail(&node, "[tables] " + std::string(key.str()) + " is a section of its own");
      return root.Finish();
    }
    TRY(TablePolicy table, ReadTable(*entry, key.str(), policy));
    policy.tables.push_back(std::move(table));
  }
  return Done{};
}

}  // namespace

Result<Policy> ReadPolicy(std::string_view text, const std::string& file) {
  toml::table tree;
  try {
    tree = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    return MakeError(ErrorCode::kPolicyFile, file + ":" +
                                                 std::to_string(error.source().begin.line) + ": " +
                                                 std::string(error.description()));
  }
  Policy policy;
  policy.file = file;
  policy.digest = Sha256Hex(text);
  TomlSection root(tree, "", file);
  TRY_DONE(ReadDataset(root, policy));
  TRY_DONE(ReadData(root, policy));
  TRY_DONE(ReadBudget(root, policy));
  TRY_DONE(ReadQuery(root, policy));
  TRY_DONE(ReadTables(root, policy));
  TRY_DONE(root.Finish());
  return policy;
}

}  // namespace dpsql
