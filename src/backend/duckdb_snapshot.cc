#include "backend/duckdb_snapshot.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "backend/cell_bounding.h"
#include "backend/duckdb_door.h"
#include "backend/duckdb_open.h"
#include "backend/linked_door.h"
#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/unit_bounding.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

// Reads rows that come ordered by unit and hands each unit over whole. A row has the unit, the
// keys, the number of rows of each class, and sums.
class UnitStream {
 public:
  using Consume = std::function<void(UnitRows)>;

  UnitStream(const Door& door, Consume consume)
      : keys_(door.query->keys.size()),
        classes_(door.classes.size()),
        consume_(std::move(consume)) {}

  void Read(const DuckDbChunk& chunk) {
    for (std::size_t row = 0; row < chunk.size(); ++row) {
      std::string unit = chunk.Text(0, row);
      if (rows_.cells.empty() || unit != rows_.unit) Flush(std::move(unit));
      rows_.cells.push_back(ReadCell(chunk, row));
    }
  }

  void Finish() { Flush(""); }

 private:
  UnitCell ReadCell(const DuckDbChunk& chunk, std::size_t row) const {
    UnitCell cell;
    std::size_t column = 1;
    for (; column <= keys_; ++column) cell.key.push_back(chunk.Read(column, row));
    for (; column <= keys_ + classes_; ++column) cell.rows.push_back(chunk.Whole(column, row));
    for (; column < chunk.columns(); ++column) cell.sums.push_back(chunk.Whole(column, row));
    return cell;
  }

  void Flush(std::string next) {
    if (!rows_.cells.empty()) consume_(std::move(rows_));
    rows_ = {.unit = std::move(next), .cells = {}};
  }

  std::size_t keys_;
  std::size_t classes_;
  Consume consume_;
  UnitRows rows_;
};

// The statement of a door's pass, and where its cells or links arrive.
struct DoorPass {
  const Door* door = nullptr;
  DoorCells plan;
  std::optional<LinkedDoor> linked;
  std::unique_ptr<LinkPass> links;  // where it is linked; its cells come after
  std::unique_ptr<CellPass> cells;
};

// The cells of the door that is being answered.
struct KeptCells {
  const Door* door = nullptr;
  std::vector<CellStatistic> statistics;
  std::optional<MergedCells> cells;  // nothing where they were too many
};

class DuckDbSnapshot : public SnapshotReader {
 public:
  DuckDbSnapshot(std::shared_ptr<DuckDbConnection> connection, const DuckDbResources& resources,
                 Releases releases)
      : connection_(std::move(connection)), resources_(resources), releases_(releases) {}

  Status Begin() {
    return Run("BEGIN TRANSACTION READ ONLY", [](const DuckDbChunk&) {});
  }

  // Plans the first statement of a door's pass.
  void Prepare(const Door& door) {
    ready_ = PassOf(door);
    connection_->Prepare(ready_.linked ? PrintLinks(*ready_.linked, ready_.links->id())
                                       : PrintPass(door, resources_.keys, ready_.cells->id()));
  }

  void SetKey(PriorityKey key) { key_ = key; }

  Result<std::vector<std::vector<Value>>> KnownKeys(const Door& door) override {
    if (door.key_mode != KeyMode::kPublic) return door.known_keys;
    const ast::Select select = LowerPublicKeys(door);
    std::vector<std::vector<Value>> found;
    const std::string sql = PrintSelect(select, DuckDbDialect());
    if (const auto failure = connection_->ReadRows(sql, select.items.size(), found)) {
      return RunError(*failure, resources_.incidents);
    }
    return WithDeclaredKeys(door, found);
  }

  Result<ExactTable> Count(const Door& door) override {
    CellCounter counter(door, key_);
    if (!door.selects_keys()) return std::move(counter).Finish();
    TRY_DONE(Pass(door));
    if (kept_.cells) return CountCells(*kept_.cells, BoundsOf(door));
    UnitStream stream(door, [&](UnitRows rows) { counter.Add(std::move(rows)); });
    TRY_DONE(Stream(LowerCells(door), stream));
    return std::move(counter).Finish();
  }

  Result<ExactTable> Sum(const Door& door, const KeySet& keys) override {
    TRY_DONE(Pass(door));
    if (kept_.cells) return SumKept(door, keys);
    StatisticSummer summer(door, keys, key_);
    UnitStream stream(door, [&](UnitRows rows) { summer.Add(std::move(rows)); });
    TRY_DONE(Stream(LowerCells(door), stream));
    return std::move(summer).Finish();
  }

  Status Add(const PublicTable& release) override {
    if (releases_ == Releases::kNotNeeded) return Done{};
    if (const auto failure = connection_->Add(release)) {
      return RunError(*failure, resources_.incidents);
    }
    return Done{};
  }

  Result<std::vector<PublicTable>> ReadPublic(const DpPlan& plan) override {
    std::vector<PublicTable> tables = PublicReads(plan);
    for (PublicTable& table : tables) {
      const std::string sql = PrintSelect(LowerPublic(table), DuckDbDialect());
      if (const auto failure = connection_->ReadRows(sql, table.columns.size(), table.rows)) {
        return RunError(*failure, resources_.incidents);
      }
    }
    return tables;
  }

 private:
  CellBounds BoundsOf(const Door& door) const {
    return {.groups_per_unit = std::max<std::int64_t>(1, door.groups_per_unit.value), .key = key_};
  }

  DoorPass PassOf(const Door& door) const {
    DoorPass pass{.door = &door, .plan = CellsOf(door, resources_.keys)};
    pass.plan.layout.memory_limit = resources_.cell_memory;
    pass.linked = WithoutParent(door, resources_.keys);
    if (pass.linked) {
      pass.links = resources_.cells.BeginLinks(resources_.cell_memory / 2);
    } else {
      pass.cells = resources_.cells.Begin(pass.plan.layout);
    }
    return pass;
  }

  // Fills the cells of a door, unless they are there.
  Status Pass(const Door& door) {
    if (kept_.door == &door) return Done{};
    DoorPass pass = ready_.door == &door ? std::exchange(ready_, {}) : PassOf(door);
    kept_ = {.door = &door, .statistics = std::move(pass.plan.statistics), .cells = std::nullopt};
    const Door* read = &door;
    if (pass.linked) {
      TRY_DONE(Run(PrintLinks(*pass.linked, pass.links->id()), [](const DuckDbChunk&) {}));
      pass.plan.layout.links = pass.links->Finish();  // null where a join is better
      if (pass.plan.layout.links) {
        read = &pass.linked->door;
        pass.plan.layout.memory_limit -= pass.plan.layout.links->bytes();
      }
      pass.cells = resources_.cells.Begin(std::move(pass.plan.layout));
    }
    TRY_DONE(Run(PrintPass(*read, resources_.keys, pass.cells->id()), [](const DuckDbChunk&) {}));
    kept_.cells = pass.cells->Finish(resources_.threads);
    return kept_.cells ? Done{} : CheckSpills(door);
  }

  Result<ExactTable> SumKept(const Door& door, const KeySet& keys) {
    const KeptCells kept = std::exchange(kept_, {});
    try {
      return SumCells(*kept.cells, keys, kept.statistics, BoundsOf(door));
    } catch (const CellLimitReached&) {
      return OutOfMemory();
    }
  }

  // Claims of distinct values are made in memory: another order of units would be another function.
  Status CheckSpills(const Door& door) const {
    const bool claims = std::any_of(
        door.statistics.begin(), door.statistics.end(),
        [](const Statistic& one) { return one.shape.kind == StatisticKind::kDistinct; });
    return claims ? Status(OutOfMemory()) : Done{};
  }

  Error OutOfMemory() const {
    return RunError({.interrupted = false, .text = "the cells of distinct values outgrew memory"},
                    resources_.incidents);
  }

  Status Stream(const ast::Select& select, UnitStream& stream) {
    TRY_DONE(Run(PrintSelect(select, DuckDbDialect()),
                 [&](const DuckDbChunk& chunk) { stream.Read(chunk); }));
    stream.Finish();
    return Done{};
  }

  Status Run(const std::string& sql, const std::function<void(const DuckDbChunk&)>& consume) {
    if (const auto failure = connection_->Run(sql, consume)) {
      return RunError(*failure, resources_.incidents);
    }
    return Done{};
  }

  std::shared_ptr<DuckDbConnection> connection_;
  DuckDbResources resources_;
  PriorityKey key_{};
  Releases releases_;
  DoorPass ready_;
  KeptCells kept_;
};

}  // namespace

Result<std::unique_ptr<SnapshotReader>> BeginSnapshot(std::shared_ptr<DuckDbConnection> connection,
                                                      const DuckDbResources& resources,
                                                      PriorityKey key, Releases releases) {
  auto snapshot = std::make_unique<DuckDbSnapshot>(std::move(connection), resources, releases);
  TRY_DONE(snapshot->Begin());
  snapshot->SetKey(key);
  return std::unique_ptr<SnapshotReader>(std::move(snapshot));
}

class DuckDbPreparation::Work {
 public:
  Work(std::shared_ptr<DuckDbConnection> connection, const DuckDbResources& resources,
       const DpPlan& plan)
      : snapshot_(std::make_unique<DuckDbSnapshot>(
            std::move(connection), resources,
            plan.doors().size() > 1 ? Releases::kKept : Releases::kNotNeeded)),
        begun_(snapshot_->Begin()) {
    // A statement of ours comes before the pass where keys stand in public tables.
    if (!begun_ || plan.doors().empty()) return;
    if (plan.doors()[0].key_mode != KeyMode::kPublic) snapshot_->Prepare(plan.doors()[0]);
  }

  Result<std::unique_ptr<SnapshotReader>> Finish(PriorityKey key) {
    TRY_DONE(begun_);
    snapshot_->SetKey(key);
    return std::unique_ptr<SnapshotReader>(std::move(snapshot_));
  }

 private:
  std::unique_ptr<DuckDbSnapshot> snapshot_;
  Status begun_;
};

DuckDbPreparation::DuckDbPreparation(const DuckDbDatabase& database,
                                     const DuckDbResources& resources, const DpPlan& plan)
    : connection_(std::make_shared<DuckDbConnection>(database)),
      work_(std::async(std::launch::async, [connection = connection_, resources, &plan] {
        return std::make_unique<Work>(connection, resources, plan);
      })) {}

Result<std::unique_ptr<SnapshotReader>> DuckDbPreparation::Finish(PriorityKey key) {
  return work_.get()->Finish(key);
}

}  // namespace dpsql
