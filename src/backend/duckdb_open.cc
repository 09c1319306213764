#include "backend/duckdb_open.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "backend/duckdb_files.h"
#include "backend/duckdb_schema.h"
#include "backend/run_error.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

// The owner's database file beside tables that are files. No name of a policy's can be this.
constexpr const char* kAttached = "(database)";

// The storage version in a DuckDB file's header, or 0 where the file is no DuckDB file.
std::uint64_t StorageVersion(const std::string& path) {
  std::array<char, 20> header{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(header.data(), header.size())) return 0;
  if (std::memcmp(header.data() + 8, "DUCK", 4) != 0) return 0;
  std::uint64_t version = 0;
  std::memcpy(&version, header.data() + 12, sizeof(version));
  return version;
}

Error OpenError(const std::string& path, const std::string& words, IncidentLog& incidents) {
  if (path.empty()) {
    return MakeError(ErrorCode::kDatabaseOpen, "there is no database file, and a table needs one",
                     {}, "give the path of a DuckDB file, or each table of the policy a  source");
  }
  if (!std::filesystem::exists(path)) {
    return MakeError(ErrorCode::kDatabaseOpen, "there is no database file " + path, {},
                     "give the path of a DuckDB file");
  }
  const std::uint64_t version = StorageVersion(path);
  if (version == 0) {
    return MakeError(ErrorCode::kDatabaseOpen, path + " is not a DuckDB file");
  }
  if (words.find("version number") != std::string::npos) {
    return MakeError(ErrorCode::kDatabaseNewer,
                     path + " was written by a newer DuckDB (storage version " +
                         std::to_string(version) + ") than the one here (" +
                         duckdb_library_version() + ")",
                     {},
                     "build with DUCKDB_ROOT=… of that DuckDB, or export the data and import it "
                     "with this one");
  }
  return MakeError(ErrorCode::kDatabaseOpen,
                   path + " cannot be opened (incident " + incidents.Record(words) + ")", {},
                   "is another program writing to it?");
}

// What one thread of DuckDB needs to group, join and sort with the rest of its rows on disk; with
// less it ends a query where it should spill. Found by experiment with DuckDB 1.5: six million
// groups fail in 64 MB and spill in 96 MB; twenty million need 256 MB.
constexpr std::uint64_t kMemoryPerThread = 128'000'000;

// Fewer threads than the policy allows where each would have too little memory to spill.
std::optional<std::uint64_t> ThreadsOf(const DatabasePolicy& policy) {
  std::optional<std::uint64_t> threads;
  if (policy.threads) threads = static_cast<std::uint64_t>(*policy.threads);
  if (!policy.memory_bytes) return threads;
  const std::uint64_t most = *policy.memory_bytes / kMemoryPerThread;
  const std::uint64_t asked = threads.value_or(std::thread::hardware_concurrency());
  return std::max<std::uint64_t>(1, std::min(asked, most));
}

// What may be spilled: as much as the policy allows, and in any case at most half of what is free
// now, so that a question that would spill without end leaves room for the ledger and for others.
// DuckDB by itself would take nine tenths.
std::optional<std::uint64_t> SpillOf(const DatabasePolicy& policy, const SpillFolder& folder) {
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(folder.path(), unknown);
  if (unknown) return policy.spill_bytes;
  const std::uint64_t half = space.available / 2;
  return std::min(policy.spill_bytes.value_or(half), half);
}

DuckDbDatabase::Settings SettingsOf(const DatabasePolicy& policy, const SpillFolder& folder) {
  DuckDbDatabase::Settings settings = {{"temp_directory", folder.path().string()}};
  if (policy.memory_bytes) {
    settings.emplace_back("memory_limit", std::to_string(*policy.memory_bytes) + "B");
  }
  if (const auto threads = ThreadsOf(policy)) {
    settings.emplace_back("threads", std::to_string(*threads));
  }
  return settings;
}

SchemaTable* FindTable(Schema& schema, std::string_view name) {
  for (SchemaTable& table : schema.tables) {
    if (SameName(table.name, name)) return &table;
  }
  return nullptr;
}

}  // namespace

Error RunError(const DuckDbFailure& failure, IncidentLog& incidents) {
  return RunError(failure.interrupted, failure.text, incidents);
}

DuckDbData::DuckDbData(std::string path, IncidentLog& incidents)
    : path_(path == ":memory:" ? "" : std::move(path)), incidents_(incidents) {}

Status DuckDbData::Run(DuckDbConnection& connection, const std::string& sql) {
  if (const auto failure = connection.Run(sql, [](const DuckDbChunk&) {})) {
    return RunError(*failure, incidents_);
  }
  return Done{};
}

Status DuckDbData::Open(const Policy& policy, Verified files) {
  Check(database_.handle() == nullptr, "a database is opened once");
  policy_ = policy;
  TRY(files_, FindTableFiles(policy_));
  // Stamps come before the first read: what changes behind them is noticed.
  for (const TableFiles& table : files_) {
    stamps_.insert(stamps_.end(), table.files.begin(), table.files.end());
  }
  for (const std::string& file : {path_, path_ + ".wal"}) {
    if (const auto stamp = StampOf(file)) stamps_.push_back(*stamp);
  }
  TRY(folder_, SpillFolder::Make());
  DuckDbDatabase::Settings settings = SettingsOf(policy_.database, *folder_);
  if (files_.empty()) settings.emplace_back("access_mode", "READ_ONLY");
  if (files_.empty() && path_.empty()) return OpenError(path_, "", incidents_);
  const std::string words = database_.Open(files_.empty() ? path_ : ":memory:", settings);
  if (!words.empty()) return OpenError(path_, words, incidents_);
  DuckDbConnection connection(database_);
  if (!files_.empty()) TRY_DONE(Attach(connection));
  TRY_DONE(ReadThreads(connection));
  TRY_DONE(LimitSpill(connection));
  TRY_DONE(Run(connection, AllowFiles(files_)));
  TRY_DONE(Run(connection, "SET enable_external_access = false"));
  if (!files_.empty()) TRY_DONE(AddViews(connection));
  TRY_DONE(CheckFiles(connection, files));
  return Run(connection, "SET lock_configuration = true");
}

// Asked for, since without a limit of the policy's DuckDB itself finds what the machine allows it.
Status DuckDbData::ReadThreads(DuckDbConnection& connection) {
  std::vector<std::vector<Value>> rows;
  const std::string sql = "SELECT CAST(current_setting('threads') AS BIGINT)";
  if (const auto failure = connection.ReadRows(sql, 1, rows)) return RunError(*failure, incidents_);
  threads_ = static_cast<std::size_t>(std::get<std::int64_t>(rows.at(0).at(0)));
  return Done{};
}

// Not among the settings of opening: there DuckDB 1.5 shows the limit and does not keep it.
Status DuckDbData::LimitSpill(DuckDbConnection& connection) {
  const auto bytes = SpillOf(policy_.database, *folder_);
  if (!bytes) return Done{};
  return Run(connection, "SET max_temp_directory_size = '" + std::to_string(*bytes) + "B'");
}

// Beside files the database stands under a name of ours: in the views' place its file could not be
// read-only.
Status DuckDbData::Attach(DuckDbConnection& connection) {
  if (path_.empty()) return Done{};
  const Dialect& dialect = DuckDbDialect();
  const std::string attach = "ATTACH " + dialect.QuoteString(path_) + " AS " +
                             dialect.QuoteIdentifier(kAttached) + " (TYPE duckdb, READ_ONLY)";
  const auto failure = connection.Run(attach, [](const DuckDbChunk&) {});
  if (failure) return OpenError(path_, failure->text, incidents_);
  return Done{};
}

Status DuckDbData::AddViews(DuckDbConnection& connection) {
  for (const TableFiles& table : files_) {
    TRY_DONE(CheckSameColumns(table, policy_.file, connection));
    TRY(const std::vector<std::string> columns, CsvColumns(table, policy_.file));
    TRY_DONE(Run(connection, FileView(table, columns)));
  }
  if (path_.empty()) return Done{};
  TRY(const Schema schema, ReadDatabase(kAttached));
  const Dialect& dialect = DuckDbDialect();
  for (const TablePolicy& declared : policy_.tables) {
    const bool found =
        std::any_of(schema.tables.begin(), schema.tables.end(),
                    [&](const SchemaTable& table) { return SameName(table.name, declared.name); });
    if (declared.source || !found) continue;
    const std::string name = "main." + dialect.QuoteIdentifier(declared.name);
    TRY_DONE(Run(connection, "CREATE VIEW " + name + " AS SELECT * FROM " +
                                 dialect.QuoteIdentifier(kAttached) + "." + name));
  }
  return Done{};
}

// A file that changes while it is read here is not the one that Watch lets through.
Status DuckDbData::CheckFiles(DuckDbConnection& connection, Verified files) {
  const KeyFacts facts = files == Verified::kBelieved ? OwnersFacts() : KeyFacts{};
  for (const TableFiles& table : files_) {
    const auto is_this = [&](const FileFact& fact) {
      return SameName(fact.table, table.table->name) && fact.files == table.files;
    };
    if (std::any_of(facts.files.begin(), facts.files.end(), is_this)) continue;
    TRY_DONE(CheckRows(table, policy_.file, connection, incidents_));
  }
  return Done{};
}

std::vector<FileFact> DuckDbData::ReadableFiles() const {
  std::vector<FileFact> facts;
  for (const TableFiles& table : files_) {
    facts.push_back({.table = table.table->name, .files = table.files});
  }
  return facts;
}

// What `dpsql check --verify` found under the label that the policy has now.
KeyFacts DuckDbData::OwnersFacts() const {
  if (!policy_.data_version) return {};
  KeyFacts facts = ReadKeyFacts(policy_.facts_file);
  if (facts.version != *policy_.data_version) return {};
  return facts;
}

Result<Schema> DuckDbData::ReadDatabase(const std::string& database) {
  Schema schema;
  if (const auto failure = ReadDuckDbSchema(database_, database, schema)) {
    return RunError(*failure, incidents_);
  }
  return schema;
}

Result<Schema> DuckDbData::ReadSchema() {
  DuckDbConnection connection(database_);
  std::vector<std::vector<Value>> current;
  if (const auto failure = connection.ReadRows("SELECT current_database()", 1, current)) {
    return RunError(*failure, incidents_);
  }
  TRY(Schema schema, ReadDatabase(std::get<std::string>(current[0][0])));
  if (!files_.empty()) TRY_DONE(TakeFileTables(schema));
  AddVerifiedKeys(schema);
  return schema;
}

// Of the views in front, those over files are tables; the others stand for the database's own.
Status DuckDbData::TakeFileTables(Schema& schema) {
  Schema all;
  if (!path_.empty()) {
    TRY(all, ReadDatabase(kAttached));
  }
  for (const TableFiles& files : files_) {
    std::erase_if(all.tables, [&](const SchemaTable& table) {
      return SameName(table.name, files.table->name);
    });
    SchemaTable* view = FindTable(schema, files.table->name);
    Check(view != nullptr, "each file has its view");
    view->is_view = false;
    all.tables.push_back(std::move(*view));
  }
  schema = std::move(all);
  return Done{};
}

std::vector<FileStamp> DuckDbData::StampsOf(std::string_view table) const {
  for (const TableFiles& files : files_) {
    if (SameName(files.table->name, table)) return files.files;
  }
  std::vector<FileStamp> stamps;
  for (const FileStamp& stamp : stamps_) {
    if (stamp.path == path_ || stamp.path == path_ + ".wal") stamps.push_back(stamp);
  }
  return stamps;
}

void DuckDbData::AddVerifiedKeys(Schema& schema) const {
  const KeyFacts facts = OwnersFacts();
  for (const KeyFact& fact : facts.keys) {
    SchemaTable* table = FindTable(schema, fact.table);
    if (table == nullptr || fact.files.empty() || fact.files != StampsOf(fact.table)) continue;
    const bool same = !fact.columns.empty() && fact.types == TypesOf(*table, fact.columns);
    if (same) table->verified_keys.push_back(fact.columns);
  }
}

bool DuckDbData::RowsFollowColumns() const {
  return std::any_of(files_.begin(), files_.end(), [](const TableFiles& table) {
    return table.format != SourceFormat::kParquet;
  });
}

Result<Snapshot> DuckDbData::Watch(std::unique_ptr<SnapshotReader> reader,
                                   std::shared_ptr<DuckDbConnection> connection,
                                   std::shared_ptr<StopSign> sign) const {
  if (!Unchanged(stamps_)) return DataChanged();
  return Snapshot(Watched(std::move(reader), {.timeout = policy_.query.timeout,
                                              .stamps = stamps_,
                                              .sign = std::move(sign),
                                              .stop = [connection = std::move(connection)] {
                                                connection->Interrupt();
                                              }}));
}

}  // namespace dpsql
