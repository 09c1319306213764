#pragma once

#include <memory>

#include "account/reservation.h"
#include "backend/backend.h"
#include "backend/duckdb_cells.h"
#include "backend/duckdb_door.h"
#include "backend/duckdb_handles.h"
#include "backend/priority.h"

namespace dpsql {

// What all queries of a database share.
struct DuckDbResources {
  const DuckDbCells& cells;
  IncidentLog& incidents;
  std::size_t threads = 1;
  std::size_t cell_memory = 0;  // of the cells of one pass, in bytes
  Keys keys = Keys::kVerified;
};

// What a snapshot must keep for the doors behind.
enum class Releases { kKept, kNotNeeded };

// Both stages of a query in one read-only transaction, which sees one state of the data and ends
// with the connection. A door is one pass over its rows, which leaves the cells of all units in our
// memory for both stages. Where they outgrow it, DuckDB groups the rows and spills: one statement
// for each stage, and the same integers.
Result<std::unique_ptr<SnapshotReader>> BeginSnapshot(std::shared_ptr<DuckDbConnection> connection,
                                                      const DuckDbResources& resources,
                                                      PriorityKey key, Releases releases);

}  // namespace dpsql
