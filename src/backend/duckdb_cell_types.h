#pragma once

#include <duckdb.h>

#include <optional>

#include "backend/cell_layout.h"
#include "backend/duckdb_cells.h"

namespace dpsql {

// How a vector of this type is read for a column of cells, or nothing where it cannot be.
std::optional<ColumnType> CellColumnType(CellColumn column, duckdb_logical_type type);

}  // namespace dpsql
