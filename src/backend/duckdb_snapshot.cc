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

// The cells of the door that is being answered.
struct KeptCells {
  const Door* door = nullptr;
  std::vector<CellStatistic> statistics;
  std::optional<MergedCells> cells;  // nothing where they were too many
};

class DuckDbSnapshot : public SnapshotReader {
 public:
  DuckDbSnapshot(std::shared_ptr<DuckDbConnection> connection, const DuckDbResources& resources,
                 PriorityKey key, Releases releases)
      : connection_(std::move(connection)), resources_(resources), key_(key), releases_(releases) {}

  Status Begin() {
    return Run("BEGIN TRANSACTION READ ONLY", [](const DuckDbChunk&) {});
  }

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

  // Fills the cells of a door, unless they are there.
  Status Pass(const Door& door) {
    if (kept_.door == &door) return Done{};
    DoorCells plan = CellsOf(door, resources_.keys);
    plan.layout.memory_limit = resources_.cell_memory;
    kept_ = {.door = &door, .statistics = std::move(plan.statistics), .cells = std::nullopt};
    const std::optional<LinkedDoor> linked = WithoutParent(door, resources_.keys);
    if (linked) {
      TRY(plan.layout.links, ReadLinks(*linked));
    }
    const Door& read = plan.layout.links ? linked->door : door;
    const std::unique_ptr<CellPass> pass = resources_.cells.Begin(std::move(plan.layout));
    TRY_DONE(Run(PrintPass(read, resources_.keys, pass->id()), [](const DuckDbChunk&) {}));
    kept_.cells = pass->Finish(resources_.threads);
    return kept_.cells ? Done{} : CheckSpills(door);
  }

  // Null where a join is better.
  Result<std::shared_ptr<const UnitLinks>> ReadLinks(const LinkedDoor& linked) {
    const std::unique_ptr<LinkPass> pass = resources_.cells.BeginLinks(resources_.cell_memory / 2);
    TRY_DONE(Run(PrintLinks(linked, pass->id()), [](const DuckDbChunk&) {}));
    return pass->Finish();
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
  PriorityKey key_;
  Releases releases_;
  KeptCells kept_;
};

}  // namespace

Result<std::unique_ptr<SnapshotReader>> BeginSnapshot(std::shared_ptr<DuckDbConnection> connection,
                                                      const DuckDbResources& resources,
                                                      PriorityKey key, Releases releases) {
  auto snapshot = std::make_unique<DuckDbSnapshot>(std::move(connection), resources, key, releases);
  TRY_DONE(snapshot->Begin());
  return std::unique_ptr<SnapshotReader>(std::move(snapshot));
}

}  // namespace dpsql
