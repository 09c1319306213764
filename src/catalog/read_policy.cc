#include <toml++/toml.h>

#include <filesystem>
#include <utility>

#include "base/sha256.h"
#include "catalog/policy.h"
#include "catalog/policy_ranges.h"
#include "catalog/read_budget.h"
#include "catalog/read_quantity.h"
#include "catalog/read_table.h"
#include "catalog/toml_section.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMaxCount = 1'000'000'000;
constexpr std::int64_t kMostThreads = 4096;
constexpr std::int64_t kMostAborts = 1000;  // each is a bit that no noise covers
constexpr std::int64_t kDefaultMinFrequency = 10;
// A default question takes a fortieth of epsilon; under the GDP filter some hundreds fit.
constexpr double kDefaultEpsilonShare = 1.0 / 40;
constexpr double kDefaultDeltaShare = 0.1;

class PolicyReader {
 public:
  PolicyReader(std::string_view text, const std::string& file, PolicyProblems& problems)
      : problems_(problems) {
    policy_.file = file;
    policy_.digest = Sha256Hex(text);
    policy_.facts_file = std::filesystem::path(file).replace_extension(".facts").string();
  }

  Policy Read(const toml::table& tree) {
    TomlSection root(tree, "");
    ReadDataset(root);
    ReadData(root);
    ReadBudget(root);
    ReadQuery(root);
    ReadDatabase(root);
    ReadTables(root);
    root.Finish(problems_);
    return std::move(policy_);
  }

 private:
  void Absent(const std::string& what, const std::string& hint) {
    problems_.push_back(
        {.code = ErrorCode::kPolicyKey, .line = 1, .message = "the policy " + what, .hint = hint});
  }

  void ReadDataset(TomlSection& root) {
    const toml::table* table = root.Table("dataset");
    if (table == nullptr) {
      if (!root.Has("dataset")) Absent("has no [dataset]", "add  [dataset]  and  name = \"…\"");
      return;
    }
    TomlSection section(*table, "dataset");
    policy_.dataset = section.Required(section.Text("name"), "name");
    policy_.unit_kind = section.Text("unit").value_or("unit");
    section.Finish(problems_);
  }

  void ReadData(TomlSection& root) {
    const toml::table* table = root.Table("data");
    if (table == nullptr) return;
    TomlSection section(*table, "data");
    policy_.data_version = section.Text("version");
    if (const auto facts = section.Text("facts")) {
      const std::filesystem::path folder = std::filesystem::path(policy_.file).parent_path();
      policy_.facts_file = (folder / *facts).string();
    }
    section.Finish(problems_);
  }

  void ReadBudget(TomlSection& root) {
    const toml::table* table = root.Table("budget");
    if (table == nullptr) {
      if (root.Has("budget")) return;
      Absent("has no [budget]", "add  [budget]  with  epsilon = 4.0  and  delta = 1e-6");
      return;
    }
    policy_.budget = dpsql::ReadBudget(*table, problems_);
  }

  void ReadQuery(TomlSection& root) {
    static const toml::table kEmpty;
    const toml::table* table = root.Table("query");
    TomlSection section(table != nullptr ? *table : kEmpty, "query");
    QueryPolicy& query = policy_.query;
    const BudgetPolicy& budget = policy_.budget;
    if (table != nullptr) query.line = section.line();
    query.epsilon =
        section.Number("epsilon", kEpsilonRange).value_or(budget.epsilon * kDefaultEpsilonShare);
    query.epsilon_max = section.Number("epsilon_max", kEpsilonRange).value_or(budget.epsilon);
    query.delta = section.Number("delta", kDeltaRange).value_or(budget.delta * kDefaultDeltaShare);
    query.delta_max = section.Number("delta_max", kDeltaRange).value_or(budget.delta);
    query.min_frequency =
        section.Integer("min_frequency", 0, kMaxCount).value_or(kDefaultMinFrequency);
    query.max_groups_per_unit = section.Integer("max_groups_per_unit", 1, 1'000'000);
    ReadTimeout(section, query);
    query.aborts_allowed =
        section.Integer("aborts_allowed", 1, kMostAborts).value_or(query.aborts_allowed);
    // Without a budget the defaults mean nothing.
    const bool known = budget.epsilon > 0 && budget.delta > 0;
    if (known && query.epsilon > query.epsilon_max) {
      section.Fail(nullptr, "[query] epsilon is above epsilon_max",
                   "lower  epsilon , or raise  epsilon_max ; without one it is the budget's");
    }
    if (known && query.delta > query.delta_max) {
      section.Fail(nullptr, "[query] delta is above delta_max",
                   "lower  delta , or raise  delta_max ; without one it is the budget's");
    }
    section.Finish(problems_);
  }

  static void ReadTimeout(TomlSection& section, QueryPolicy& query) {
    const auto text = section.Text("timeout");
    if (!text) return;
    query.timeout = ParseDuration(*text);
    if (query.timeout) return;
    section.Fail(section.Node("timeout"), "[query] timeout is a time from 1 ms to 1000 h",
                 "write  timeout = \"30 s\"  with one of ms, s, min, h");
  }

  void ReadDatabase(TomlSection& root) {
    const toml::table* table = root.Table("database");
    if (table == nullptr) return;
    TomlSection section(*table, "database");
    policy_.database.threads = section.Integer("threads", 1, kMostThreads);
    if (const auto text = section.Text("memory")) {
      policy_.database.memory_bytes = ParseMemory(*text);
      if (!policy_.database.memory_bytes) {
        section.Fail(section.Node("memory"),
                     "[database] memory is an amount from 128 MB to 1000 TB",
                     "write  memory = \"4 GB\"  with one of MB, GB, TB");
      }
    }
    if (const auto text = section.Text("spill")) {
      policy_.database.spill_bytes = ParseSpill(*text);
      if (!policy_.database.spill_bytes) {
        section.Fail(section.Node("spill"), "[database] spill is an amount from 1 MB to 1000 TB",
                     "write  spill = \"20 GB\"  with one of MB, GB, TB");
      }
    }
    section.Finish(problems_);
  }

  void ReadTables(TomlSection& root) {
    const toml::table* tables = root.Table("tables");
    if (tables == nullptr || tables->empty()) {
      Absent("declares no table", "add  [tables.customer]  and  unit = \"customer_id\"");
      return;
    }
    for (const auto& [key, node] : *tables) {
      if (const toml::table* entry = node.as_table()) {
        policy_.tables.push_back(ReadTable(*entry, key.str(), policy_.unit_kind, problems_));
      } else {
        root.Fail(&node, "[tables] " + std::string(key.str()) + " is a section of its own",
                  "write  [tables." + std::string(key.str()) + "]  and its keys below");
      }
    }
  }

  Policy policy_;
  PolicyProblems& problems_;
};

}  // namespace

Policy ReadPolicy(std::string_view text, const std::string& file, PolicyProblems& problems) {
  PolicyReader reader(text, file, problems);
  try {
    return reader.Read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    problems.push_back({.code = ErrorCode::kPolicyFile,
                        .line = static_cast<int>(error.source().begin.line),
                        .message = std::string(error.description()),
                        .hint = "the file is TOML; correct this line"});
  }
  return {.file = file};
}

Result<Policy> ReadPolicy(std::string_view text, const std::string& file) {
  PolicyProblems problems;
  Policy policy = ReadPolicy(text, file, problems);
  if (!problems.empty()) return ToError(problems.front(), file);
  return policy;
}

}  // namespace dpsql
