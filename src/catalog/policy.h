#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/type.h"
#include "catalog/policy_problem.h"
#include "dpsql/result.h"
#include "dpsql/value.h"

// The owner's file, as written. Whether it fits the database is the catalog's question.
namespace dpsql {

// Smaller values ask for noise that no number could hold.
inline constexpr double kSmallestEpsilon = 1e-6;
inline constexpr double kSmallestDelta = 1e-50;

struct ColumnPolicy {
  std::string name;
  std::optional<Type> type;  // must be the database's; without a database it stands for that
  std::optional<bool> nullable;
  bool hidden = false;
  std::optional<double> lower;
  std::optional<double> upper;
  std::vector<Value> values;  // the known keys; rows with other values are dropped
  int line = 0;
};

// A foreign key on the way to the unit: `columns` of the child equal `parent_columns`.
struct LinkPolicy {
  std::vector<std::string> columns;
  std::string parent_table;
  std::vector<std::string> parent_columns;
};

enum class SourceFormat { kParquet, kCsv, kJsonLines };

// Files as a table.
struct SourcePolicy {
  std::string pattern;  // a path or a glob, from the policy's folder on
  SourceFormat format = SourceFormat::kParquet;
  int line = 0;

  // A file of text has the columns and types that the policy declares, whatever it holds.
  bool is_text() const { return format != SourceFormat::kParquet; }
};

struct TablePolicy {
  std::string name;
  std::optional<SourcePolicy> source;  // none: a table of the database
  bool is_public = false;
  std::optional<std::string> unit_column;
  std::optional<LinkPolicy> link;
  std::string kind;  // of the unit
  std::optional<std::int64_t> max_rows_per_unit;
  std::vector<ColumnPolicy> columns;
  // `primary_key` and `unique`: what the owner says of keys. A session believes the database, and
  // what `dpsql check --verify` has found in the data; a check without one has nothing else.
  std::vector<std::vector<std::string>> declared_keys;
  int line = 0;
};

// A share of the budget for one analyst.
struct AnalystPolicy {
  std::string name;
  double epsilon = 0;
  double delta = 0;
};

struct BudgetPolicy {
  double epsilon = 0;
  double delta = 0;
  std::string accountant = "gdp";  // or rdp, basic
  double threshold_share = 0.1;
  double pure_epsilon = 0;
  std::int64_t renew_days = 0;          // 0: the budget is for the dataset's life
  std::vector<AnalystPolicy> analysts;  // if there is any, only these may ask
  int line = 1;
};

struct QueryPolicy {
  double epsilon = 0;
  double epsilon_max = 0;
  double delta = 0;
  double delta_max = 0;
  std::int64_t min_frequency = 0;
  std::optional<std::int64_t> max_groups_per_unit;
  std::int64_t aborts_allowed = 3;  // queries of one analyst that may end without an answer
  std::optional<std::chrono::milliseconds> timeout;
  int line = 1;
};

// What the database may take of the machine; its own defaults where nothing is said.
struct DatabasePolicy {
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> spill_bytes;
  std::optional<std::int64_t> threads;
};

struct Policy {
  std::string dataset;
  std::string unit_kind;
  std::optional<std::string> data_version;
  std::string facts_file;  // what `dpsql check --verify` found
  BudgetPolicy budget;
  QueryPolicy query;
  DatabasePolicy database;
  std::vector<TablePolicy> tables;
  std::string file;    // for messages
  std::string digest;  // SHA-256 of the file's bytes
};

// Reads the TOML text of a policy. Strict: an unknown key, a wrong type or a value outside its
// range is an error that names the file, the line and the allowed values.
Result<Policy> ReadPolicy(std::string_view text, const std::string& file);

// The same, but goes on after a problem and adds each to `problems`; what could not be read is left
// out of the policy.
Policy ReadPolicy(std::string_view text, const std::string& file, PolicyProblems& problems);

}  // namespace dpsql
