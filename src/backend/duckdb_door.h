#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/door_cells.h"
#include "backend/row_facts.h"
#include "plan/dp_plan.h"

// A door as one pass of DuckDB over its rows, which fills the cells of duckdb_cells.h. Both stages
// are made from them.
namespace dpsql {

// The classes whose rows the bounds of the door's statistics are on, and these rows as a pass sees
// them. None where anything counts units, so that they must be read.
std::map<std::size_t, DescribedRows> ClippedRows(const Door& door);

// Whether nothing but sums of bounded rows is asked, and no unit has more rows than the bound: then
// every row is inside of it, and whose it is makes no difference.
bool RowsAreInside(const Door& door, const RowFacts& facts);

// The owner's rows that those of a door are some of (backend/owner_rows.h), where knowing of them
// could leave units out, and the statement that tells the most of them that a unit has.
struct OwnersRows {
  DescribedRows rows;
  std::string most;
};
std::optional<OwnersRows> OwnersRowsOf(const Door& door);

// The cells of a door as the statement below hands its rows over.
DoorCells PassCells(const Door& door, Units units);

// The statement; `id` is that of the pass where its cells arrive.
std::string PrintPass(const Door& door, Units units, std::int64_t id);

}  // namespace dpsql
