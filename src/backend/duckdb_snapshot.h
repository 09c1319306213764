#pragma once

#include <future>
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

// The same, begun before the plan was paid for: the transaction is open and the statement of the
// first door is planned, on a thread of its own. No row is read before there is a key.
class DuckDbPreparation : public Preparation {
 public:
  DuckDbPreparation(const DuckDbDatabase& database, const DuckDbResources& resources,
                    const DpPlan& plan);

  // Waits for it. Requires: called once.
  Result<std::unique_ptr<SnapshotReader>> Finish(PriorityKey key);

  // Requires: finished.
  const std::shared_ptr<DuckDbConnection>& connection() const { return connection_; }

 private:
  class Work;
  std::shared_ptr<DuckDbConnection> connection_;
  std::future<std::unique_ptr<Work>> work_;
};

}  // namespace dpsql
