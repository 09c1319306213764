#pragma once

#include <memory>

#include "backend/backend.h"
#include "backend/priority.h"
#include "backend/sqlite_connection.h"
#include "catalog/schema.h"

namespace dpsql {

// Both stages of a query in one read transaction, which sees one state of the data and ends with
// the connection. A door is one pass over its rows, which leaves the cells of all units in our
// memory for both stages: the same integers as those of DuckDB's rows. Where the cells outgrow
// `cell_memory` bytes the query is refused: SQLite has no sum that a stream of cells could be made
// with and that cannot fail.
// Requires: the schema outlives it, and the connection is frozen in that state of it.
std::unique_ptr<SnapshotReader> MakeSqliteSnapshot(std::shared_ptr<SqliteConnection> connection,
                                                   const Schema& schema, IncidentLog& incidents,
                                                   std::size_t cell_memory, PriorityKey key);

}  // namespace dpsql
