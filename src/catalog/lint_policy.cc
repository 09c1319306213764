#include "catalog/lint_policy.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/names.h"
#include "catalog/column_words.h"

namespace dpsql {
namespace {

constexpr double kLargeEpsilon = 10;
constexpr double kLargeDelta = 1e-4;

bool Holds(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return SameName(known, name); });
}

bool SameKey(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const std::string& column) {
           return Holds(b, column);
         });
}

// Kept so by the database, or found so by the owner.
bool IsUnique(const SchemaTable& table, const std::vector<std::string>& key) {
  const auto same = [&](const std::vector<std::string>& known) { return SameKey(known, key); };
  return std::any_of(table.unique_keys.begin(), table.unique_keys.end(), same) ||
         std::any_of(table.verified_keys.begin(), table.verified_keys.end(), same);
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

class PolicyLinter {
 public:
  PolicyLinter(const Policy& policy, const Schema& schema) : policy_(policy), schema_(schema) {}

  std::vector<Finding> Lint() {
    LintNumbers();
    for (const TablePolicy& declared : policy_.tables) {
      const SchemaTable* found = Find(declared.name);
      if (found == nullptr) continue;
      LintKeys(declared, *found);
      if (declared.is_public) {
        LintPublic(declared, *found);
      } else {
        LintPrivate(declared, *found);
      }
    }
    LintUndeclared();
    return std::move(findings_);
  }

 private:
  void Say(Severity severity, int line, const char* rule, std::string message, std::string fix) {
    findings_.push_back({.severity = severity,
                         .code = rule,
                         .message = std::move(message),
                         .fix = std::move(fix),
                         .file = policy_.file,
                         .line = std::max(line, 1)});
  }

  const SchemaTable* Find(std::string_view name) const {
    for (const SchemaTable& table : schema_.tables) {
      if (SameName(table.name, name)) return &table;
    }
    return nullptr;
  }

  static const ColumnPolicy* FindColumn(const TablePolicy& table, std::string_view name) {
    for (const ColumnPolicy& column : table.columns) {
      if (SameName(column.name, name)) return &column;
    }
    return nullptr;
  }

  void LintNumbers() {
    if (policy_.budget.epsilon > kLargeEpsilon) {
      Say(Severity::kWarning, policy_.budget.line, "large-epsilon",
          "the whole budget is above epsilon 10: it promises little to a person",
          "lower  epsilon  under [budget]");
    }
    if (policy_.budget.delta > kLargeDelta) {
      Say(Severity::kWarning, policy_.budget.line, "large-delta",
          "delta is the chance of a failure for each person, and above 1e-4",
          "write  delta = 1e-6  under [budget], below one in the number of people");
    }
    if (policy_.budget.renew_days > 0) {
      Say(Severity::kWarning, policy_.budget.line, "renewing-budget",
          "epsilon and delta are promised for each window of " +
              std::to_string(policy_.budget.renew_days) +
              " days; for a person in the data over several windows they add up",
          "choose epsilon for all windows together, or remove  renew");
    }
    if (policy_.budget.analysts.empty()) {
      Say(Severity::kInfo, policy_.budget.line, "anybody-may-ask",
          "no analyst is listed: anybody may ask, under any name, and aborts_allowed is for each "
          "name",
          "add  [budget.analysts.NAME]  with  epsilon  and  delta");
    }
    if (policy_.query.min_frequency <= 1) {
      Say(Severity::kWarning, policy_.query.line, "small-k",
          "a group of one person may be shown: min_frequency <= 1",
          "write  min_frequency = 10  under [query]");
    }
    if (!policy_.data_version) {
      Say(Severity::kInfo, 1, "no-version",
          "without a label of the data every repeat of a question is charged",
          "add  [data]  and  version = \"…\"");
    }
    const bool any = std::any_of(policy_.tables.begin(), policy_.tables.end(),
                                 [](const TablePolicy& table) { return !table.is_public; });
    if (any) return;
    Say(Severity::kWarning, 1, "no-private-table", "no table is private: nothing to ask",
        "add  [tables.customer]  and  unit = \"customer_id\" ; `dpsql init URL` writes a draft");
  }

  // Declared keys are for checks without a database; with one they should be true.
  void LintKeys(const TablePolicy& declared, const SchemaTable& found) {
    for (const std::vector<std::string>& key : declared.declared_keys) {
      if (IsUnique(found, key)) continue;
      Say(Severity::kWarning, declared.line, "unenforced-key",
          "the database does not keep " + declared.name + " unique by " + Joined(key),
          "declare it PRIMARY KEY or UNIQUE there, or run  dpsql check --verify ; a session "
          "believes "
          "no other word");
    }
  }

  void LintPublic(const TablePolicy& declared, const SchemaTable& found) {
    for (const SchemaColumn& column : found.columns) {
      const auto names_unit = [&](const TablePolicy& table) {
        return table.unit_column && SameName(*table.unit_column, column.name);
      };
      const auto owner = std::find_if(policy_.tables.begin(), policy_.tables.end(), names_unit);
      if (owner == policy_.tables.end()) continue;
      Say(Severity::kWarning, declared.line, "public-unit-column",
          "the public table " + declared.name + " has a column named like the unit of " +
              owner->name + ": " + column.name,
          "where its rows are about people, write  unit = \"" + column.name +
              "\"  in place of  public = true");
    }
  }

  void LintPrivate(const TablePolicy& declared, const SchemaTable& found) {
    const bool one_row = declared.unit_column && IsUnique(found, {*declared.unit_column});
    if (!declared.max_rows_per_unit && !one_row) {
      Say(Severity::kWarning, declared.line, "no-row-cap",
          "a unit may have many rows of " + declared.name +
              ", and nothing caps them: each question must bring a bound",
          "add  max_rows_per_unit = 50  under [tables." + declared.name + "]");
    }
    std::vector<std::string> personal;
    std::vector<std::string> identifiers;
    std::vector<std::string> unbounded;
    for (const SchemaColumn& column : found.columns) {
      if (declared.unit_column && SameName(*declared.unit_column, column.name)) {
        LintUnit(declared, column);
        continue;
      }
      const ColumnPolicy* policy = FindColumn(declared, column.name);
      if (IsKeyPart(declared, column.name) || (policy != nullptr && policy->hidden)) continue;
      const bool bounded = policy != nullptr && policy->lower.has_value();
      const bool listed = policy != nullptr && !policy->values.empty();
      if (LooksPersonal(column.name) && !listed) {
        personal.push_back(column.name);
      } else if (LooksLikeIdentifier(column.name)) {
        identifiers.push_back(column.name);
      } else if (column.type.is_numeric() && !bounded) {
        unbounded.push_back(column.name);
      }
    }
    SayColumns(declared, personal, identifiers, unbounded);
  }

  void LintUnit(const TablePolicy& declared, const SchemaColumn& column) {
    if (!column.nullable) return;
    Say(Severity::kInfo, declared.line, "nullable-unit",
        "rows of " + declared.name + " whose " + column.name + " is NULL are never counted",
        "declare it NOT NULL in the database, or leave it so: rows of nobody count for nobody");
  }

  void SayColumns(const TablePolicy& declared, const std::vector<std::string>& personal,
                  const std::vector<std::string>& identifiers,
                  const std::vector<std::string>& unbounded) {
    const std::string columns = "[tables." + declared.name + ".columns]";
    if (!personal.empty()) {
      Say(Severity::kWarning, declared.line, "personal-column",
          "columns of " + declared.name + " look personal: " + Joined(personal),
          "add  " + personal[0] + " = { hidden = true }  under " + columns);
    }
    if (!identifiers.empty()) {
      Say(Severity::kWarning, declared.line, "identifier-column",
          "columns of " + declared.name + " look like identifiers: " + Joined(identifiers),
          "add  " + identifiers[0] + " = { hidden = true }  under " + columns);
    }
    if (!unbounded.empty()) {
      Say(Severity::kInfo, declared.line, "no-bounds",
          "sums of " + declared.name + " need bounds in the question: " + Joined(unbounded),
          "add  " + unbounded[0] + " = { lower = …, upper = … }  under " + columns);
    }
  }

  // A column of a foreign key on the way to the unit, on either side.
  bool IsKeyPart(const TablePolicy& table, std::string_view column) const {
    if (table.link && Holds(table.link->columns, column)) return true;
    return std::any_of(policy_.tables.begin(), policy_.tables.end(), [&](const TablePolicy& child) {
      return child.link && SameName(child.link->parent_table, table.name) &&
             Holds(child.link->parent_columns, column);
    });
  }

  void LintUndeclared() {
    for (const SchemaTable& table : schema_.tables) {
      const bool declared =
          std::any_of(policy_.tables.begin(), policy_.tables.end(),
                      [&](const TablePolicy& known) { return SameName(known.name, table.name); });
      if (declared || table.is_view) continue;
      Say(Severity::kInfo, 1, "undeclared-table",
          "the database has a table that cannot be asked: " + table.name,
          "add  [tables." + table.name + "]  if it should be");
    }
  }

  const Policy& policy_;
  const Schema& schema_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> LintPolicy(const Policy& policy, const Schema& schema) {
  return PolicyLinter(policy, schema).Lint();
}

}  // namespace dpsql
