#include "backend/duckdb_verify.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "backend/duckdb_open.h"
#include "backend/tree.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

bool SameKey(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto among_b = [&](const std::string& name) {
    return std::any_of(b.begin(), b.end(),
                       [&](const std::string& other) { return SameName(other, name); });
  };
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), among_b);
}

void AddClaim(KeyFinding claim, std::vector<KeyFinding>& claims) {
  const auto same = [&](const KeyFinding& other) {
    return SameName(other.table, claim.table) && SameKey(other.columns, claim.columns);
  };
  if (std::none_of(claims.begin(), claims.end(), same)) claims.push_back(std::move(claim));
}

std::vector<KeyFinding> ClaimsOf(const Policy& policy) {
  std::vector<KeyFinding> claims;
  for (const TablePolicy& table : policy.tables) {
    for (const std::vector<std::string>& key : table.declared_keys) {
      AddClaim({.table = table.name, .columns = key, .line = table.line}, claims);
    }
    if (!table.link) continue;
    AddClaim({.table = table.link->parent_table,
              .columns = table.link->parent_columns,
              .line = table.line},
             claims);
  }
  return claims;
}

ast::From TableOf(const KeyFinding& claim) {
  ast::From from{.alias = "t", .column_aliases = {}, .span = {}};
  from.node = ast::TableName{.parts = {"main", claim.table}};
  return from;
}

// SELECT count(*) FROM t, with a condition or none.
ast::Select CountRows(ast::From from, ast::ExprPtr where) {
  ast::Select select;
  select.items.push_back({.expr = tree::CountStar(), .alias = "n"});
  select.from.push_back(std::move(from));
  select.where = std::move(where);
  return select;
}

ast::ExprPtr NoNull(const KeyFinding& claim) {
  std::vector<ast::ExprPtr> conditions;
  for (const std::string& column : claim.columns) {
    conditions.push_back(tree::IsNotNull(tree::Column("t", column)));
  }
  return tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
}

// SELECT count(*) FROM (SELECT a, b FROM t GROUP BY a, b)
ast::Select CountKeys(const KeyFinding& claim) {
  ast::Select groups;
  for (std::size_t i = 0; i < claim.columns.size(); ++i) {
    groups.items.push_back(
        {.expr = tree::Column("t", claim.columns[i]), .alias = "c" + std::to_string(i)});
    ast::GroupItem item;
    item.expr = tree::Column("t", claim.columns[i]);
    groups.group_by.push_back(std::move(item));
  }
  groups.from.push_back(TableOf(claim));
  ast::From from{.alias = "g", .column_aliases = {}, .span = {}};
  from.node = ast::DerivedTable{.select = std::make_unique<ast::Select>(std::move(groups))};
  return CountRows(std::move(from), nullptr);
}

class KeyVerifier {
 public:
  KeyVerifier(const DuckDbData& data, IncidentLog& incidents)
      : connection_(data.database()), incidents_(incidents) {}

  Status Begin() {
    const auto failure = connection_.Run("BEGIN TRANSACTION READ ONLY", [](const DuckDbChunk&) {});
    if (failure) return RunError(*failure, incidents_);
    return Done{};
  }

  Result<KeyState> Find(const KeyFinding& claim) {
    TRY(const std::int64_t rows, Count(CountRows(TableOf(claim), nullptr)));
    TRY(const std::int64_t whole, Count(CountRows(TableOf(claim), NoNull(claim))));
    if (whole != rows) return KeyState::kHasNull;
    TRY(const std::int64_t keys, Count(CountKeys(claim)));
    return keys == rows ? KeyState::kUnique : KeyState::kRepeats;
  }

 private:
  Result<std::int64_t> Count(const ast::Select& select) {
    std::vector<std::vector<Value>> rows;
    const auto failure = connection_.ReadRows(PrintSelect(select, DuckDbDialect()), 1, rows);
    if (failure) return RunError(*failure, incidents_);
    return std::get<std::int64_t>(rows.at(0).at(0));
  }

  DuckDbConnection connection_;
  IncidentLog& incidents_;
};

const SchemaTable* FindTable(const Schema& schema, std::string_view name) {
  for (const SchemaTable& table : schema.tables) {
    if (SameName(table.name, name)) return &table;
  }
  return nullptr;
}

std::string ColumnsOf(const KeyFinding& claim) {
  std::string columns;
  for (const std::string& name : claim.columns) columns += (columns.empty() ? "" : ", ") + name;
  return columns;
}

bool IsNoKey(const KeyFinding& claim) {
  return claim.state == KeyState::kHasNull || claim.state == KeyState::kRepeats;
}

// Several refusals as one: all messages, and each hint once.
Error Together(const std::vector<Error>& flaws) {
  Error all = flaws.front();
  std::vector<std::string> hints = {all.hint};
  for (std::size_t i = 1; i < flaws.size(); ++i) {
    all.message += "; " + flaws[i].message;
    const std::string& hint = flaws[i].hint;
    const bool known = std::find(hints.begin(), hints.end(), hint) != hints.end();
    if (known || hint.empty()) continue;
    hints.push_back(hint);
    all.hint += (all.hint.empty() ? "" : "; ") + hint;
  }
  return all;
}

// The tables of the database are read together, and each table of files by itself: one that cannot
// be read hides nothing of the others.
class DataVerifier {
 public:
  DataVerifier(const Policy& policy, IncidentLog& incidents)
      : policy_(policy), incidents_(incidents) {
    found_.keys = ClaimsOf(policy);
    found_.facts.version = policy.data_version.value();
  }

  Result<KeyFindings> Verify(const std::string& path) {
    const bool all_files =
        std::all_of(policy_.tables.begin(), policy_.tables.end(),
                    [](const TablePolicy& table) { return table.source.has_value(); });
    const bool no_database = path.empty() && all_files;
    if (!no_database) TRY_DONE(VerifyPart(path, nullptr));
    for (const KeyFinding& claim : found_.keys) {
      if (no_database && FilesOf(claim) == nullptr) AddNoSuchKey(claim);
    }
    for (const TablePolicy& table : policy_.tables) {
      if (table.source) TRY_DONE(VerifyPart("", &table));
    }
    if (flaws_.empty()) return std::move(found_);
    for (const KeyFinding& claim : found_.keys) {
      if (IsNoKey(claim)) AddNoKey(claim);
    }
    return Together(flaws_);
  }

 private:
  // One table of files, or all of the database.
  Status VerifyPart(const std::string& path, const TablePolicy* files) {
    Policy part = policy_;
    std::erase_if(part.tables, [&](const TablePolicy& table) {
      return files == nullptr ? table.source.has_value() : table.name != files->name;
    });
    DuckDbData data(path, incidents_);
    if (Status opened = data.Open(part, Verified::kReadAgain); !opened) {
      if (opened.error().code != CodeOf(ErrorCode::kPolicyTable)) return opened;
      flaws_.push_back(opened.error());
      return Done{};
    }
    TRY(const Schema schema, data.ReadSchema());
    KeyVerifier verifier(data, incidents_);
    TRY_DONE(verifier.Begin());
    for (KeyFinding& claim : found_.keys) {
      if (FilesOf(claim) == files) TRY_DONE(VerifyClaim(claim, schema, data, verifier));
    }
    if (!data.IsUnchanged()) return DataChanged();
    std::vector<FileFact> readable = data.ReadableFiles();
    std::move(readable.begin(), readable.end(), std::back_inserter(found_.facts.files));
    return Done{};
  }

  Status VerifyClaim(KeyFinding& claim, const Schema& schema, const DuckDbData& data,
                     KeyVerifier& verifier) {
    const SchemaTable* table = FindTable(schema, claim.table);
    if (table == nullptr || TypesOf(*table, claim.columns).empty()) {
      AddNoSuchKey(claim);
      return Done{};
    }
    const auto same = [&](const std::vector<std::string>& key) {
      return SameKey(key, claim.columns);
    };
    if (std::any_of(table->unique_keys.begin(), table->unique_keys.end(), same)) {
      claim.state = KeyState::kEnforced;
      return Done{};
    }
    TRY(claim.state, verifier.Find(claim));
    if (claim.state != KeyState::kUnique) return Done{};
    found_.facts.keys.push_back({.table = table->name,
                                 .columns = claim.columns,
                                 .types = TypesOf(*table, claim.columns),
                                 .files = data.StampsOf(claim.table)});
    return Done{};
  }

  // The table of files that a claim is about; null where it is about one of the database.
  const TablePolicy* FilesOf(const KeyFinding& claim) const {
    for (const TablePolicy& table : policy_.tables) {
      if (table.source && SameName(table.name, claim.table)) return &table;
    }
    return nullptr;
  }

  void AddNoSuchKey(const KeyFinding& claim) {
    AddFlaw(claim, "there is no " + claim.table + " with the columns " + ColumnsOf(claim),
            "`dpsql check` tells what does not fit");
  }

  void AddNoKey(const KeyFinding& claim) {
    AddFlaw(claim,
            claim.table + " (" + ColumnsOf(claim) + ") is no key: " +
                (claim.state == KeyState::kHasNull ? "some row has NULL there"
                                                   : "two rows have the same"),
            "");
  }

  void AddFlaw(const KeyFinding& claim, std::string message, std::string hint) {
    flaws_.push_back(ToError({.code = ErrorCode::kPolicyTable,
                              .line = claim.line,
                              .message = std::move(message),
                              .hint = std::move(hint)},
                             policy_.file));
  }

  const Policy& policy_;
  IncidentLog& incidents_;
  KeyFindings found_;
  std::vector<Error> flaws_;
};

}  // namespace

Result<KeyFindings> VerifyDuckDb(const std::string& path, const Policy& policy,
                                 IncidentLog& incidents) {
  if (!policy.data_version) {
    return ToError(
        {.code = ErrorCode::kPolicyKey,
         .line = 1,
         .message = "what is verified holds for labelled data, and the policy has no label",
         .hint = "add  [data]  and  version = \"…\""},
        policy.file);
  }
  const std::string file = path == ":memory:" ? "" : path;
  return DataVerifier(policy, incidents).Verify(file);
}

}  // namespace dpsql
