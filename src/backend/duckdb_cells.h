#pragma once

#include <duckdb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backend/cell_layout.h"
#include "backend/duckdb_aggregate.h"
#include "backend/merged_cells.h"
#include "backend/unit_links.h"

// Cells filled inside of DuckDB's own threads, by an aggregate of ours:
//
//   SELECT dpsql_cells(<id>, row(unit, keys…, values…, presences…)) FROM … WHERE unit IS NOT NULL …
//
// The columns are those of the layout, in its order. Where a layout has links, its unit column
// holds a parent's key instead, and the links come from
//
//   SELECT dpsql_links(<id>, row(key, unit)) FROM parent WHERE unit IS NOT NULL …
namespace dpsql {

inline constexpr const char* kCellsFunction = "dpsql_cells";
inline constexpr const char* kLinksFunction = "dpsql_links";

enum class CellColumn { kUnit, kKey, kValue, kDistinct };

// Whether a column of this DuckDB type may be handed over as it is. A key, unit or distinct value
// of another type is cast to VARCHAR in the statement (BIGINT where the slow path does so), a
// number to DOUBLE. Presences of which only validity counts may have any type.
bool CellsTake(CellColumn column, const std::string& type);

// Whether keys and units of these DuckDB types can be links.
bool LinksTake(const std::string& key_type, const std::string& unit_type);

class CellSink;
class LinkSink;
using CellRegistry = SinkRegistry<CellSink>;
using LinkRegistry = SinkRegistry<LinkSink>;

// The place where one statement's cells arrive.
class CellPass {
 public:
  CellPass(std::shared_ptr<CellRegistry> registry, CellLayout layout);
  ~CellPass();
  CellPass(const CellPass&) = delete;
  CellPass& operator=(const CellPass&) = delete;

  // The first argument of the aggregate.
  std::int64_t id() const { return id_; }

  // The cells of the statement that has run; nothing where they outgrew the layout's limit: then
  // the slow path answers, which spills. `threads` work on the merge and later on the parts.
  // Requires: called once, after the statement ended without an error.
  std::optional<MergedCells> Finish(std::size_t threads);

 private:
  std::shared_ptr<CellRegistry> registry_;
  std::shared_ptr<CellSink> sink_;
  std::int64_t id_;
};

// The place where one statement's links arrive.
class LinkPass {
 public:
  LinkPass(std::shared_ptr<LinkRegistry> registry, std::size_t memory_limit);
  ~LinkPass();
  LinkPass(const LinkPass&) = delete;
  LinkPass& operator=(const LinkPass&) = delete;

  std::int64_t id() const { return id_; }

  // The links of the statement that has run; nothing where they are not worth an array.
  // Requires: called once, after the statement ended without an error.
  std::shared_ptr<const UnitLinks> Finish();

 private:
  std::shared_ptr<LinkRegistry> registry_;
  std::shared_ptr<LinkSink> sink_;
  std::int64_t id_;
};

// The aggregates of one database.
class DuckDbCells {
 public:
  DuckDbCells();

  // Makes the aggregates known to all connections. Returns whether DuckDB took them; once for each
  // database, before transactions that use it begin.
  bool Register(duckdb_database database);

  // From any thread.
  std::unique_ptr<CellPass> Begin(CellLayout layout) const;
  std::unique_ptr<LinkPass> BeginLinks(std::size_t memory_limit) const;

 private:
  std::shared_ptr<CellRegistry> cells_;
  std::shared_ptr<LinkRegistry> links_;
};

}  // namespace dpsql
