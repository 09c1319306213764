#pragma once

#include <duckdb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backend/cell_layout.h"
#include "backend/duckdb_rows.h"
#include "backend/merged_cells.h"
#include "backend/unit_links.h"

// Cells filled inside of DuckDB's own threads; see duckdb_rows.h:
//
//   SELECT count(dpsql_rows(<id>, unit, keys…, values…, presences…)) FROM … WHERE unit IS NOT NULL
//   …
//
// The columns are those of the layout, in its order. Where a layout has links, its unit column
// holds a parent's key instead, and the links come from
//
//   SELECT count(dpsql_rows(<id>, key, unit)) FROM parent WHERE unit IS NOT NULL …
namespace dpsql {

enum class CellColumn { kUnit, kKey, kValue, kDistinct };

// Whether a column of this DuckDB type may be handed over as it is. A key, unit or distinct value
// of another type is cast to VARCHAR in the statement (BIGINT where the slow path does so), a
// number to DOUBLE. Presences of which only validity counts may have any type.
bool CellsTake(CellColumn column, const std::string& type);

class CellSink;
class LinkSink;

// The place where one statement's cells arrive.
class CellPass {
 public:
  CellPass(std::shared_ptr<RowRegistry> registry, CellLayout layout);

  // The first argument of the function.
  std::int64_t id() const { return name_.id(); }

  // Rows come with a parent's key from now on, and the links count as memory of the cells.
  // Requires: no row came before.
  void Link(std::shared_ptr<const UnitLinks> links);

  // The cells of the statement that has run and counted its rows; nothing where they outgrew the
  // layout's limit: then the slow path answers, which spills. `threads` work on the merge and later
  // on the parts. Requires: called once, after the statement ended without an error.
  std::optional<MergedCells> Finish(std::int64_t counted, std::size_t threads);

 private:
  std::shared_ptr<CellSink> sink_;
  NamedSink name_;
};

// The place where one statement's links arrive.
class LinkPass {
 public:
  // `memory_limit` is that of the cells that follow; links take half of it at most.
  LinkPass(std::shared_ptr<RowRegistry> registry, std::size_t memory_limit);

  std::int64_t id() const { return name_.id(); }

  // The links of the statement that has run; nothing where they are not worth an array.
  // Requires: called once, after the statement ended without an error.
  std::shared_ptr<const UnitLinks> Finish(std::int64_t counted);

 private:
  std::shared_ptr<LinkSink> sink_;
  NamedSink name_;
};

}  // namespace dpsql
