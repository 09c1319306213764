#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "backend/list_tables.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/server_url.h"
#include "base/try.h"
#include "catalog/source_format.h"
#include "dpsql/draft.h"
#include "engine/draft_policy_guess.h"
#include "engine/draft_policy_text.h"
#include "engine/guarded.h"
#include "engine/no_incident_log.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

// What was asked for, as tables with or without files.
struct Found {
  Listing listing;
  std::vector<std::optional<SourcePolicy>> sources;  // beside the listing's tables
  std::string url;
};

std::string FolderOf(const std::string& policy) {
  const fs::path folder = fs::path(policy).parent_path();
  return folder.empty() ? "." : folder.string();
}

// A path that is right from the folder of the policy on.
std::string SeenFrom(const std::string& folder, const std::string& path) {
  if (fs::path(path).is_absolute()) return path;
  std::error_code failed;
  const fs::path there = fs::absolute(path, failed).lexically_normal();
  const fs::path base = fs::weakly_canonical(folder, failed);
  return failed ? path : there.lexically_proximate(base).string();
}

// A table's name from that of its file: letters and digits, and _ for what else a pattern has.
std::string TableName(const std::string& path) {
  std::string name;
  for (const char c : fs::path(path).stem().string()) {
    const bool sign = std::string_view(" .-*?[]").find(c) != std::string_view::npos;
    if (!sign) name += c;
    if (sign && !name.empty() && name.back() != '_') name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "data" : name;
}

// Files of one name in two folders are two tables.
std::string UnusedName(const std::string& name, const std::vector<TablePolicy>& tables) {
  std::string unused = name;
  const auto same = [&](const TablePolicy& table) { return SameName(table.name, unused); };
  for (int i = 2; std::any_of(tables.begin(), tables.end(), same); ++i) {
    unused = name + "_" + std::to_string(i);
  }
  return unused;
}

// There is no policy yet whose line could be named.
Error WithoutPlace(Error error, const std::string& file) {
  const std::string place = file + ":0: ";
  if (error.message.starts_with(place)) error.message.erase(0, place.size());
  return error;
}

Result<Found> FindFiles(const DraftOptions& options, IncidentLog& incidents) {
  const std::string folder = FolderOf(options.policy);
  if (!fs::is_directory(folder)) {
    return MakeError(ErrorCode::kPolicyFile, "there is no folder " + folder + " for the policy", {},
                     "make it, or give another file with  -o");
  }
  Policy policy;
  policy.file = (fs::path(folder) / "policy.toml").string();
  for (const std::string& path : options.sources) {
    const auto format = SourceFormatOf(path);
    if (!format) {
      return MakeError(ErrorCode::kPolicyTable, "one database, or files, but not both: " + path, {},
                       "files end in .parquet, .csv, .json, .jsonl or .ndjson");
    }
    std::string pattern = SeenFrom(folder, path);
    policy.tables.push_back(
        {.name = UnusedName(TableName(path), policy.tables),
         .source = SourcePolicy{.pattern = std::move(pattern), .format = *format}});
  }
  Found found{.listing = {}, .sources = {}, .url = ":memory:"};
  auto listing = ListFiles(policy, incidents);
  if (!listing) return WithoutPlace(std::move(listing).error(), policy.file);
  found.listing = std::move(listing).value();
  for (const TablePolicy& table : policy.tables) found.sources.push_back(table.source);
  return found;
}

Result<Found> FindTables(const DraftOptions& options) {
  if (options.sources.empty()) {
    return MakeError(ErrorCode::kDatabaseOpen, "there is nothing to read a schema from", {},
                     "give a DuckDB file, or files that end in .parquet, .csv or .json");
  }
  NoIncidentLog incidents;
  const bool database = options.sources.size() == 1 && !SourceFormatOf(options.sources[0]);
  if (!database) return FindFiles(options, incidents);
  Found found{.listing = {}, .sources = {}, .url = options.sources[0]};
  TRY(found.listing, ListTables(found.url, incidents));
  found.sources.resize(found.listing.schema.tables.size());
  return found;
}

std::string CheckCommand(const Found& found, const DraftOptions& options) {
  const std::string file = options.policy.empty() ? "FILE" : options.policy;
  return "dpsql check " + WithoutPassword(found.url) + " --policy " + file;
}

std::string DatasetName(const DraftOptions& options) {
  if (!options.dataset.empty()) return options.dataset;
  const std::string& source = options.sources[0];
  if (IsServerUrl(source)) return TableName(DatabaseOf(source));
  return TableName(source.substr(source.find(':') + 1));
}

// As SQL names it.
std::string Named(const std::string& table) {
  constexpr auto kReserved =
      std::to_array<std::string_view>({"all", "case", "check", "column", "default", "end", "grant",
                                       "group", "limit", "order", "select", "table", "user"});
  const bool reserved =
      std::find(kReserved.begin(), kReserved.end(), ToLower(table)) != kReserved.end();
  const bool plain = TomlKey(table) == table && table.find('-') == std::string::npos &&
                     (table[0] < '0' || table[0] > '9');
  return plain && !reserved ? table : DuckDbDialect().QuoteIdentifier(table);
}

Result<PolicyDraft> Draft(const DraftOptions& options) {
  TRY(const Found found, FindTables(options));
  std::optional<UnitChoice> unit;
  if (options.unit.empty()) {
    unit = GuessUnit(found.listing);
  } else {
    TRY(unit, NamedUnit(found.listing, options.unit));
  }
  std::vector<DraftSource> tables;
  for (DraftTable& table : FindWays(found.listing, unit)) {
    tables.push_back({.table = std::move(table), .source = found.sources[tables.size()]});
  }
  PolicyDraft draft{.text = "", .unit = "", .url = WithoutPassword(found.url), .table = ""};
  if (unit) {
    const std::string& table = found.listing.schema.tables[unit->table].name;
    draft.table = Named(table);
    draft.unit = table + "." + unit->column;
  }
  draft.text = DraftText({.dataset = DatasetName(options),
                          .kind = unit ? unit->kind : "unit",
                          .guessed = !unit || unit->guessed,
                          .check = CheckCommand(found, options),
                          .macros = found.listing.schema.macros},
                         tables);
  return draft;
}

}  // namespace

Result<PolicyDraft> DraftPolicy(const DraftOptions& options) {
  return Guarded([&] { return Draft(options); });
}

}  // namespace dpsql
