#include "backend/duckdb_snapshot.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "backend/beside.h"
#include "backend/cell_bounding.h"
#include "backend/duckdb_door.h"
#include "backend/duckdb_open.h"
#include "backend/linked_door.h"
#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/owner_rows.h"
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

// What a snapshot must keep for the doors behind.
enum class Releases { kKept, kNotNeeded };

// The statements of a door's pass, and where their cells and links arrive.
struct DoorPass {
  const Door* door = nullptr;
  Units units = Units::kRead;
  std::vector<CellStatistic> statistics;
  std::unique_ptr<LinkPass> links;  // where it is linked; its cells come after
  std::string links_statement;
  std::unique_ptr<CellPass> cells;
  std::string cells_statement;
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

  // Plans the statements of a door's pass.
  void Prepare(const Door& door) {
    ready_ = PassOf(door);
    if (ready_.links) connection_->Prepare(ready_.links_statement);
    connection_->Prepare(ready_.cells_statement);
  }

  void SetKey(PriorityKey key) { key_ = key; }

  Result<std::vector<std::vector<Value>>> KnownKeys(const Door& door) override {
    if (door.key_mode != KeyMode::kPublic) return door.known_keys;
    std::vector<KeyTuples> lists;
    for (const ast::Select& select : LowerPublicKeys(door)) {
      const std::string sql = PrintSelect(select, DuckDbDialect());
      if (const auto failure =
              connection_->ReadRows(sql, select.items.size(), lists.emplace_back())) {
        return RunError(*failure, resources_.incidents);
      }
    }
    return WithDeclaredKeys(door, lists);
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
    // A release has the same name in every query, and another content.
    const bool inside = resources_.facts && releases_ == Releases::kNotNeeded &&
                        RowsAreInside(door, *resources_.facts);
    const Units units = inside ? Units::kLeftOut : UnitsOf(door, resources_.keys);
    DoorCells plan = PassCells(door, units);
    plan.layout.memory_limit = resources_.cell_memory;
    DoorPass pass{.door = &door,
                  .units = units,
                  .statistics = std::move(plan.statistics),
                  .links = nullptr,
                  .links_statement = "",
                  .cells = std::make_unique<CellPass>(resources_.rows, std::move(plan.layout)),
                  .cells_statement = ""};
    const std::optional<LinkedDoor> linked = WithoutParent(door, resources_.keys);
    if (!linked) {
      pass.cells_statement = PrintPass(door, units, pass.cells->id());
      return pass;
    }
    pass.links = std::make_unique<LinkPass>(resources_.rows, resources_.cell_memory);
    pass.links_statement = PrintSelect(LowerLinks(*linked, pass.links->id()), DuckDbDialect());
    pass.cells_statement = PrintPass(linked->door, Units::kRead, pass.cells->id());
    return pass;
  }

  // Fills the cells of a door, unless they are there.
  Status Pass(const Door& door) {
    if (kept_.door == &door) return Done{};
    DoorPass pass = ready_.door == &door ? std::exchange(ready_, {}) : PassOf(door);
    kept_ = {.door = &door, .statistics = std::move(pass.statistics), .cells = std::nullopt};
    if (pass.links) {
      TRY(const std::int64_t counted, CountRows(pass.links_statement));
      if (auto links = pass.links->Finish(counted)) {
        pass.cells->Link(std::move(links));
      } else {  // a join is better
        pass.cells_statement = PrintPass(door, pass.units, pass.cells->id());
      }
    }
    TRY(const std::int64_t counted, CountRows(pass.cells_statement));
    kept_.cells = pass.cells->Finish(counted, resources_.threads);
    if (kept_.cells && pass.units == Units::kRead) {
      LearnFrom(door, *kept_.cells);
      TRY_DONE(LearnOwnersRows(door));
    }
    return kept_.cells ? Done{} : CheckSpills(door);
  }

  // Counts the rows of units in whole tables, once, where questions about some of these rows
  // repeat: those that follow could do without units.
  Status LearnOwnersRows(const Door& door) {
    if (!resources_.facts || releases_ == Releases::kKept) return Done{};
    const std::optional<OwnersRows> owners = OwnersRowsOf(door);
    const bool counts = owners && !resources_.facts->MostRows(owners->rows) &&
                        resources_.facts->IsSecondAsking(owners->rows);
    if (!counts) return Done{};
    TRY(const std::int64_t most, CountRows(owners->most));
    resources_.facts->Learn(owners->rows, most);
    return Done{};
  }

  // Counts the rows of units where the next query of the same rows could do without units.
  void LearnFrom(const Door& door, const MergedCells& cells) const {
    if (!resources_.facts || releases_ == Releases::kKept || !OwnerNamesRows(door)) return;
    std::vector<std::int64_t> most;
    for (const auto& [row_class, rows] : ClippedRows(door)) {
      // An argument that is not NULL, or a FILTER, is a condition of the analyst's.
      if (!door.classes[row_class].present.empty() || resources_.facts->MostRows(rows)) continue;
      if (most.empty()) most = MostRows(cells);
      resources_.facts->Learn(rows, most[row_class]);
    }
  }

  // Runs a statement that counts rows.
  Result<std::int64_t> CountRows(const std::string& sql) {
    std::int64_t rows = 0;
    TRY_DONE(Run(sql, [&](const DuckDbChunk& chunk) {
      rows += static_cast<std::int64_t>(chunk.Whole(0, 0));
    }));
    return rows;
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

class DuckDbPreparation::Work {
 public:
  Work(const DuckDbDatabase& database, const DuckDbResources& resources, const DpPlan& plan)
      : connection_(std::make_shared<DuckDbConnection>(database)),
        snapshot_(std::make_unique<DuckDbSnapshot>(
            connection_, resources,
            plan.doors().size() > 1 ? Releases::kKept : Releases::kNotNeeded)),
        begun_(snapshot_->Begin()) {
    // A statement of ours comes before the pass where keys stand in public tables.
    if (!begun_ || plan.doors().empty()) return;
    if (plan.doors()[0].key_mode != KeyMode::kPublic) snapshot_->Prepare(plan.doors()[0]);
  }

  Result<DuckDbReading> Finish(PriorityKey key) {
    TRY_DONE(begun_);
    snapshot_->SetKey(key);
    return DuckDbReading{connection_, std::move(snapshot_)};
  }

 private:
  std::shared_ptr<DuckDbConnection> connection_;
  std::unique_ptr<DuckDbSnapshot> snapshot_;
  Status begun_;
};

DuckDbPreparation::DuckDbPreparation(const DuckDbDatabase& database,
                                     const DuckDbResources& resources, const DpPlan& plan,
                                     std::shared_ptr<StopSign> sign)
    : sign_(std::move(sign)) {
  work_ = StartBeside(
      [&database, resources, &plan] { return std::make_unique<Work>(database, resources, plan); });
}

Result<DuckDbReading> DuckDbPreparation::Finish(PriorityKey key) {
  return work_.get()->Finish(key);
}

}  // namespace dpsql
