#include "backend/sqlite_snapshot.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "backend/cell_bounding.h"
#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/sqlite_cells.h"
#include "backend/sqlite_door.h"
#include "backend/sqlite_tables.h"
#include "backend/unit_bounding.h"
#include "base/try.h"
#include "plan/public_keys.h"

namespace dpsql {
namespace {

class SqliteSnapshot : public SnapshotReader {
 public:
  SqliteSnapshot(std::shared_ptr<SqliteConnection> connection, const Schema& schema,
                 IncidentLog& incidents, std::size_t cell_memory, PriorityKey key)
      : connection_(std::move(connection)),
        schema_(schema),
        incidents_(incidents),
        cell_memory_(cell_memory),
        key_(key) {}

  Result<std::vector<std::vector<Value>>> KnownKeys(const Door& door) override {
    if (door.key_mode != KeyMode::kPublic) return door.known_keys;
    std::vector<KeyTuples> lists;
    const std::vector<ast::Select> selects = LowerPublicKeys(door);
    for (std::size_t i = 0; i < selects.size(); ++i) {
      std::vector<TypeFamily> families;
      for (const std::size_t key : KeysOf(door.public_keys[i], door.query->keys)) {
        families.push_back(door.query->keys[key].expr->type.family);
      }
      TRY_DONE(ReadRows(selects[i], families, lists.emplace_back()));
    }
    return WithDeclaredKeys(door, lists);
  }

  Result<ExactTable> Count(const Door& door) override {
    if (!door.selects_keys()) return CellCounter(door, key_).Finish();
    TRY_DONE(Pass(door));
    return CountCells(*cells_, BoundsOf(door));
  }

  Result<ExactTable> Sum(const Door& door, const KeySet& keys) override {
    TRY_DONE(Pass(door));
    passed_ = nullptr;
    const std::optional<MergedCells> cells = std::exchange(cells_, std::nullopt);
    try {
      return SumCells(*cells, keys, CellsOf(door, Units::kRead).statistics, BoundsOf(door));
    } catch (const CellLimitReached&) {
      return OutOfMemory();
    }
  }

  Status Add(const PublicTable& release) override {
    if (const auto failure = connection_->Add(release)) return SqliteRunError(*failure, incidents_);
    return Done{};
  }

  Result<std::vector<PublicTable>> ReadPublic(const DpPlan& plan) override {
    std::vector<PublicTable> tables = PublicReads(plan);
    for (PublicTable& table : tables) {
      std::vector<TypeFamily> families;
      for (const PublicTable::Column& column : table.columns) {
        families.push_back(column.type.family);
      }
      TRY_DONE(ReadRows(LowerPublic(table), families, table.rows));
    }
    return tables;
  }

 private:
  CellBounds BoundsOf(const Door& door) const {
    return {.groups_per_unit = std::max<std::int64_t>(1, door.groups_per_unit.value), .key = key_};
  }

  Status ReadRows(const ast::Select& select, const std::vector<TypeFamily>& families,
                  std::vector<std::vector<Value>>& rows) {
    const auto failure =
        connection_->Run(PrintForSqlite(select, schema_), [&](const SqliteRow& row) {
          std::vector<Value>& values = rows.emplace_back();
          for (std::size_t i = 0; i < families.size(); ++i) {
            values.push_back(row.Read(static_cast<int>(i), families[i]));
          }
        });
    if (failure) return SqliteRunError(*failure, incidents_);
    return Done{};
  }

  // Fills the cells of a door, unless they are there.
  Status Pass(const Door& door) {
    if (passed_ == &door) return Done{};
    std::shared_ptr<const UnitLinks> links;
    const std::optional<LinkedDoor> linked = LinkedForSqlite(door);
    if (linked) {
      TRY(links, ReadLinks(*linked));
    }
    const Door& read = links ? linked->door : door;
    CellLayout layout = CellsOf(read, Units::kRead).layout;
    layout.memory_limit = cell_memory_;
    SqlitePass pass = LowerSqlitePass(read);
    SqliteCellRows rows(std::move(layout), std::move(pass.types));
    if (links) rows.Link(std::move(links));
    std::int64_t counted = 0;
    const auto failure = connection_->HandOver(PrintForSqlite(pass.select, schema_), rows, counted);
    if (rows.full()) return OutOfMemory();
    if (failure) return SqliteRunError(*failure, incidents_);
    cells_ = rows.Finish(counted);
    if (!cells_) return OutOfMemory();
    passed_ = &door;
    return Done{};
  }

  Result<std::shared_ptr<const UnitLinks>> ReadLinks(const LinkedDoor& linked) {
    SqliteLinkRows rows(cell_memory_);
    std::int64_t counted = 0;
    const auto failure =
        connection_->HandOver(PrintForSqlite(LowerLinks(linked, 1), schema_), rows, counted);
    if (failure) return SqliteRunError(*failure, incidents_);
    return rows.Finish(counted);
  }

  Error OutOfMemory() const {
    return SqliteRunError({.text = "the cells of units and groups outgrew memory"}, incidents_);
  }

  std::shared_ptr<SqliteConnection> connection_;
  const Schema& schema_;
  IncidentLog& incidents_;
  std::size_t cell_memory_;
  PriorityKey key_;
  const Door* passed_ = nullptr;
  std::optional<MergedCells> cells_;  // of the door above
};

}  // namespace

std::unique_ptr<SnapshotReader> MakeSqliteSnapshot(std::shared_ptr<SqliteConnection> connection,
                                                   const Schema& schema, IncidentLog& incidents,
                                                   std::size_t cell_memory, PriorityKey key) {
  return std::make_unique<SqliteSnapshot>(std::move(connection), schema, incidents, cell_memory,
                                          key);
}

}  // namespace dpsql
