#include "backend/duckdb.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <utility>

#include "backend/duckdb_handles.h"
#include "backend/duckdb_schema.h"
#include "backend/encode.h"
#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/unit_bounding.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

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

Error RunError(const DuckDbFailure& failure, IncidentLog& incidents) {
  const std::string incident = incidents.Record(failure.text);
  if (failure.interrupted) return MakeError(ErrorCode::kInterrupted, "the query was interrupted");
  return MakeError(ErrorCode::kDatabaseRun,
                   "the database could not run the query (incident " + incident + ")");
}

// Reads rows that come ordered by unit and hands each unit over whole.
class UnitStream {
 public:
  using ReadCell = std::function<void(const DuckDbChunk&, std::size_t row, UnitCell& cell)>;
  using Consume = std::function<void(UnitRows)>;

  UnitStream(std::size_t keys, ReadCell read_cell, Consume consume)
      : keys_(keys), read_cell_(std::move(read_cell)), consume_(std::move(consume)) {}

  void Read(const DuckDbChunk& chunk) {
    for (std::size_t row = 0; row < chunk.size(); ++row) {
      std::string unit = chunk.Text(0, row);
      if (rows_.cells.empty() || unit != rows_.unit) Flush(std::move(unit));
      UnitCell cell;
      for (std::size_t k = 0; k < keys_; ++k) cell.key.push_back(chunk.Read(1 + k, row));
      read_cell_(chunk, row, cell);
      rows_.cells.push_back(std::move(cell));
    }
  }

  void Finish() { Flush(""); }

 private:
  void Flush(std::string next) {
    if (!rows_.cells.empty()) consume_(std::move(rows_));
    rows_ = {.unit = std::move(next), .cells = {}};
  }

  std::size_t keys_;
  ReadCell read_cell_;
  Consume consume_;
  UnitRows rows_;
};

// Both stages of a query in one read-only transaction, which sees one state of the data and ends
// with the connection.
class DuckDbSnapshot : public SnapshotReader {
 public:
  DuckDbSnapshot(std::shared_ptr<DuckDbConnection> connection, PriorityKey key, bool keeps_releases,
                 IncidentLog& incidents)
      : connection_(std::move(connection)),
        key_(key),
        keeps_releases_(keeps_releases),
        incidents_(incidents) {}

  Status Begin() {
    return Run("BEGIN TRANSACTION READ ONLY", [](const DuckDbChunk&) {});
  }

  Result<ExactTable> Count(const Door& door) override {
    CellCounter counter(door, key_);
    if (!door.selects_keys) return std::move(counter).Finish();
    const std::size_t first = 1 + door.query->keys.size();
    UnitStream stream(
        door.query->keys.size(),
        [&](const DuckDbChunk& chunk, std::size_t row, UnitCell& cell) {
          for (std::size_t c = 0; c < door.classes.size(); ++c) {
            cell.present.push_back(chunk.Flag(first + c, row));
          }
        },
        [&](UnitRows rows) { counter.Add(std::move(rows)); });
    TRY_DONE(Stream(LowerCount(door), stream));
    return std::move(counter).Finish();
  }

  Result<ExactTable> Sum(const Door& door, const KeySet& keys) override {
    StatisticSummer summer(door, keys, key_);
    UnitStream stream(
        door.query->keys.size(),
        [&](const DuckDbChunk& chunk, std::size_t row, UnitCell& cell) {
          ReadNumbers(door, chunk, row, cell);
        },
        [&](UnitRows rows) { summer.Add(std::move(rows)); });
    TRY_DONE(Stream(LowerSum(door), stream));
    return std::move(summer).Finish();
  }

  Status Add(const PublicTable& release) override {
    if (!keeps_releases_) return Done{};
    if (const auto failure = connection_->Add(release)) {
      return RunError(*failure, incidents_);
    }
    return Done{};
  }

  Result<std::vector<PublicTable>> ReadPublic(const DpPlan& plan) override {
    std::vector<PublicTable> tables = PublicReads(plan);
    for (PublicTable& table : tables) {
      const std::string sql = PrintSelect(LowerPublic(table), DuckDbDialect());
      if (const auto failure = connection_->ReadRows(sql, table.columns.size(), table.rows)) {
        return RunError(*failure, incidents_);
      }
    }
    return tables;
  }

 private:
  static void ReadNumbers(const Door& door, const DuckDbChunk& chunk, std::size_t row,
                          UnitCell& cell) {
    std::size_t column = 1 + door.query->keys.size();
    for (const Statistic& statistic : door.statistics) {
      std::vector<Int128> columns;
      for (std::size_t i = 0; i < SumColumns(statistic.kind); ++i) {
        columns.push_back(chunk.Whole(column++, row));
      }
      for (const Int128 number : Coordinates(statistic, columns)) cell.numbers.push_back(number);
    }
  }

  Status Stream(const ast::Select& select, UnitStream& stream) {
    TRY_DONE(Run(PrintSelect(select, DuckDbDialect()),
                 [&](const DuckDbChunk& chunk) { stream.Read(chunk); }));
    stream.Finish();
    return Done{};
  }

  Status Run(const std::string& sql, const std::function<void(const DuckDbChunk&)>& consume) {
    if (const auto failure = connection_->Run(sql, consume)) return RunError(*failure, incidents_);
    return Done{};
  }

  std::shared_ptr<DuckDbConnection> connection_;
  PriorityKey key_;
  bool keeps_releases_;  // some door may read another's
  IncidentLog& incidents_;
};

class DuckDbBackend : public Backend {
 public:
  explicit DuckDbBackend(IncidentLog& incidents) : incidents_(incidents) {}

  Status OpenFile(const std::string& path) {
    const std::string words = database_.Open(path, folder_.path().string());
    if (!words.empty()) return OpenError(path, words, incidents_);
    DuckDbConnection connection(database_);
    for (const char* setting :
         {"SET enable_external_access = false", "SET lock_configuration = true"}) {
      if (const auto failure = connection.Run(setting, [](const DuckDbChunk&) {})) {
        return RunError(*failure, incidents_);
      }
    }
    return Done{};
  }

  Result<Schema> ReadSchema(const Policy&) override {
    DuckDbConnection connection(database_);
    Schema schema;
    if (const auto failure = ReadDuckDbSchema(connection, schema)) {
      return RunError(*failure, incidents_);
    }
    return schema;
  }

  Result<Snapshot> Open(const DpPlan& plan, const Reservation& paid) override {
    Check(paid.cost().plan_digest == plan.cost().plan_digest, "the plan is the one paid for");
    auto connection = std::make_shared<DuckDbConnection>(database_);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      running_ = connection;
    }
    auto snapshot = std::make_unique<DuckDbSnapshot>(std::move(connection), paid.priority_key(),
                                                     plan.doors().size() > 1, incidents_);
    TRY_DONE(snapshot->Begin());
    return Snapshot(std::move(snapshot));
  }

  std::string PrintSql(const DpPlan& plan) const override {
    std::string text;
    for (const Door& door : plan.doors()) {
      if (door.selects_keys) text += PrintSelect(LowerCount(door), DuckDbDialect()) + ";\n";
      text += PrintSelect(LowerSum(door), DuckDbDialect()) + ";\n";
    }
    if (!plan.PlainOutputs()) text += PrintSelect(LowerAnswer(plan), DuckDbDialect()) + ";\n";
    return text;
  }

  void Interrupt() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto running = running_.lock()) running->Interrupt();
  }

 private:
  IncidentLog& incidents_;
  PrivateFolder folder_;
  DuckDbDatabase database_;
  std::mutex mutex_;
  std::weak_ptr<DuckDbConnection> running_;
};

}  // namespace

Result<std::unique_ptr<Backend>> OpenDuckDb(const std::string& path, IncidentLog& incidents) {
  auto backend = std::make_unique<DuckDbBackend>(incidents);
  TRY_DONE(backend->OpenFile(path));
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace dpsql
