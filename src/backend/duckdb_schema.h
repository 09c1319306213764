#pragma once

#include "backend/duckdb_handles.h"
#include "catalog/schema.h"

namespace dpsql {

// Reads tables, views, columns and unique constraints of one attached database from DuckDB's
// catalogue: no rows, no statistics.
std::optional<DuckDbFailure> ReadDuckDbSchema(const DuckDbDatabase& opened,
                                              const std::string& database, Schema& schema);

}  // namespace dpsql
