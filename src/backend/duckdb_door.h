#pragma once

#include <string>
#include <vector>

#include "backend/cell_bounding.h"
#include "backend/cell_layout.h"
#include "plan/dp_plan.h"

// A door as one pass of DuckDB over its rows, which fills the cells of duckdb_cells.h. Both stages
// are made from them.
namespace dpsql {

struct DoorCells {
  CellLayout layout;
  std::vector<CellStatistic> statistics;  // those of the door, in its order
};

// Who says that keys are unique. Units are left out of a pass where each has one row at most, but
// only on the word of the database: where the owner verified a key and was wrong, the clip of the
// units keeps the guarantee.
enum class Keys { kEnforced, kVerified };

DoorCells CellsOf(const Door& door, Keys keys);

// The statement; `id` is that of the pass where its cells arrive.
std::string PrintPass(const Door& door, Keys keys, std::int64_t id);

}  // namespace dpsql
