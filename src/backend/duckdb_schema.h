#pragma once

#include "backend/duckdb_handles.h"
#include "catalog/schema.h"

namespace dpsql {

// Reads tables, views, columns and unique constraints from DuckDB's catalogue: no rows, no
// statistics.
std::optional<DuckDbFailure> ReadDuckDbSchema(DuckDbConnection& connection, Schema& schema);

}  // namespace dpsql
