#include "neighbours/exact_side.h"

#include <stdexcept>
#include <utility>

#include "backend/duckdb_schema.h"
#include "backend/duckdb_snapshot.h"
#include "backend/sql_snapshot.h"
#include "base/try.h"
#include "noise/add_noise.h"
#include "noise/select_keys.h"
#include "publish/publish.h"
#include "random/dice.h"
#include "support/duckdb_sql.h"

namespace dpsql {
namespace {

constexpr PriorityKey kPriorities = {3, 1, 4, 1};
constexpr PriorityKey kOtherPriorities = {2, 7, 1, 8};

ExactTable TableOf(const OpenedTable& opened) {
  ExactTableBuilder builder;
  for (const auto& [key, numbers] : opened) builder.Add(key, numbers);
  return std::move(builder).Finish();
}

// In the order of the keys, as the noise wants it.
ExactTable TableOf(const OpenedTable& opened, const KeySet& keys) {
  ExactTableBuilder builder;
  for (const SelectedKey& key : keys.keys) builder.Add(key.key, opened.at(key.key));
  return std::move(builder).Finish();
}

// A selection may show any cell that has a unit, and of known keys it names every one.
KeySet ChooseKeys(const Door& door, const DoorIntegers& integers, const Shown& shown) {
  const auto noise = MakeNoise();
  KeySet keys = SelectKeys(TableOf(integers.counts), integers.known, door, *noise);
  if (!door.selects_keys() || shown.rule == Shown::Rule::kThreshold) return keys;
  if (door.key_mode == KeyMode::kDiscovered) {
    keys.keys.clear();
    for (const auto& [key, counts] : integers.counts) {
      keys.keys.push_back({.key = key, .cells = std::vector<bool>(door.classes.size())});
    }
  }
  Dice dice(shown.seed);
  for (SelectedKey& key : keys.keys) {
    for (std::size_t i = 0; i < key.cells.size(); ++i) {
      key.cells[i] = shown.rule == Shown::Rule::kAll || dice.In16(9);
    }
  }
  if (door.key_mode == KeyMode::kDiscovered) {
    std::erase_if(keys.keys, [](const SelectedKey& key) { return !key.any(); });
  }
  return keys;
}

PublicTable ReleaseOf(const Door& door, const OpenedTable& sums, const KeySet& keys,
                      Released& released) {
  const auto noise = MakeNoise();
  DrawnNoise drawn(keys.keys.size(), door, *noise);
  return released.Add(door, AddNoise(TableOf(sums, keys), keys, std::move(drawn)));
}

void RunStatements(const DuckDbDatabase& database, const std::string& sql) {
  duckdb_connection connection = nullptr;
  if (duckdb_connect(database.handle(), &connection) != DuckDBSuccess) {
    throw std::runtime_error("DuckDB gives no connection");
  }
  duckdb_result result;
  const bool done = duckdb_query(connection, sql.c_str(), &result) == DuckDBSuccess;
  const std::string words = done ? "" : duckdb_result_error(&result);
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  if (!done) throw std::runtime_error(words + "\n" + sql);
}

}  // namespace

ExactSide::ExactSide(const std::string& sql) {
  const std::string words = database_->Open(":memory:", {{"threads", "1"}});
  if (!words.empty()) throw std::runtime_error(words);
  RunStatements(*database_, "BEGIN;\n" + sql + "COMMIT;\n");
  if (!RowRegistry::Register(database_->handle(), rows_)) {
    throw std::runtime_error("DuckDB does not take a function");
  }
}

ExactSide::ExactSide(const std::string& url, const Policy& policy)
    : engine_(EngineSide::Open(url, policy, *incidents_)) {}

Status ExactSide::CanRun(const DpPlan& plan) const {
  if (engine_) return engine_->CanRun(plan);
  return Done{};
}

Schema ExactSide::ReadSchema() const {
  if (engine_) return engine_->schema();
  Schema schema;
  const auto failure = ReadDuckDbSchema(*database_, "memory", schema);
  if (failure) throw std::runtime_error(failure->text);
  return schema;
}

class ExactSide::Statements : public DuckDbSql {
 public:
  Statements(const DuckDbDatabase& database, Schema schema)
      : database_(database), schema_(std::move(schema)) {}

  Result<Schema> ReadSchema(const Policy&) override { return schema_; }
  Result<std::unique_ptr<SqlConnection>> Connect(StopSign&) override {
    return ConnectTo(database_);
  }
  const Schema& schema() const { return schema_; }

 private:
  const DuckDbDatabase& database_;
  Schema schema_;
};

Result<Snapshot> ExactSide::BeginStatements(PriorityKey key) {
  if (!statements_) statements_ = std::make_shared<Statements>(*database_, ReadSchema());
  StopSign nobody;
  TRY(std::unique_ptr<SqlConnection> connection, statements_->Connect(nobody));
  return Snapshot(MakeSqlSnapshot(
      std::move(connection), SqlStatements(*statements_, statements_->schema()), key, *incidents_));
}

Result<Snapshot> ExactSide::Begin(const DoorRun& run, PriorityKey key) {
  if (engine_) return engine_->Begin(key);
  // Statements believe what the database keeps, and nothing else.
  if (run.way == Way::kStatements && run.keys == Keys::kEnforced) return BeginStatements(key);
  constexpr std::size_t kMuch = std::size_t{1} << 28;
  const DuckDbResources resources{.rows = rows_,
                                  .facts = facts_,
                                  .incidents = *incidents_,
                                  .threads = 1,
                                  .cell_memory = run.way == Way::kOutgrown ? 1 : kMuch,
                                  .keys = run.keys};
  DuckDbPreparation ready(*database_, resources, run.plan, std::make_shared<StopSign>());
  TRY(DuckDbReading reading, ready.Finish(key));
  return Snapshot(std::move(reading.snapshot));
}

Result<ExactTable> ExactSide::Sum(const DoorRun& run, Snapshot& data, const Door& door,
                                  const KeySet& keys) {
  if (!run.forgets) return data.Sum(door, keys);
  TRY(Snapshot other, Begin(run, kOtherPriorities));
  return other.Sum(door, keys);
}

Result<SideIntegers> ExactSide::ReadFirst(const DoorRun& run, const Shown& shown,
                                          std::vector<DoorScript>& script) {
  TRY(Snapshot data, Begin(run, kPriorities));
  SideIntegers integers;
  Released released;
  for (std::size_t i = 0; i < run.doors.size(); ++i) {
    const Door& door = run.doors[i];
    DoorIntegers own;
    TRY(own.known, data.KnownKeys(door));
    TRY(ExactTable counts, data.Count(door));
    own.counts = OpenTable(std::move(counts));
    KeySet keys = ChooseKeys(door, own, shown);
    TRY(ExactTable sums, Sum(run, data, door, keys));
    own.sums = OpenTable(std::move(sums));
    PublicTable release = ReleaseOf(run.plan.doors()[i], own.sums, keys, released);
    TRY_DONE(data.Add(release));
    script.push_back({.keys = std::move(keys), .release = std::move(release)});
    integers.doors.push_back(std::move(own));
  }
  TRY(integers.above, data.ReadPublic(run.plan));
  if (run.publishes) {
    TRY(integers.answer, Publish(run.plan, released, integers.above, data));
  }
  return integers;
}

Result<SideIntegers> ExactSide::Read(const DoorRun& run, const std::vector<DoorScript>& script) {
  TRY(Snapshot data, Begin(run, kPriorities));
  SideIntegers integers;
  Released released;
  for (std::size_t i = 0; i < run.doors.size(); ++i) {
    const Door& door = run.doors[i];
    DoorIntegers own;
    TRY(own.known, data.KnownKeys(door));
    TRY(ExactTable counts, data.Count(door));
    own.counts = OpenTable(std::move(counts));
    TRY(ExactTable sums, Sum(run, data, door, script[i].keys));
    own.sums = OpenTable(std::move(sums));
    if (run.publishes) ReleaseOf(run.plan.doors()[i], own.sums, script[i].keys, released);
    TRY_DONE(data.Add(script[i].release));
    integers.doors.push_back(std::move(own));
  }
  TRY(integers.above, data.ReadPublic(run.plan));
  if (run.publishes) {
    TRY(integers.answer, Publish(run.plan, released, integers.above, data));
  }
  return integers;
}

}  // namespace dpsql
