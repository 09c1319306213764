#pragma once

#include <future>
#include <memory>

#include "account/reservation.h"
#include "backend/backend.h"
#include "backend/duckdb_cells.h"
#include "backend/duckdb_door.h"
#include "backend/duckdb_handles.h"
#include "backend/priority.h"
#include "backend/stop_sign.h"

namespace dpsql {

// What all queries of a database share.
struct DuckDbResources {
  std::shared_ptr<RowRegistry> rows;  // where statements hand theirs over
  // Of the data as it was when the database was opened; none where the text of a statement does not
  // say which rows it reads.
  std::shared_ptr<RowFacts> facts;
  IncidentLog& incidents;
  std::size_t threads = 1;
  std::size_t cell_memory = 0;  // of the cells of one pass, in bytes
  Keys keys = Keys::kVerified;
};

// A snapshot and the connection that it reads on.
struct DuckDbReading {
  std::shared_ptr<DuckDbConnection> connection;
  std::unique_ptr<SnapshotReader> snapshot;
};

// Both stages of a query in one read-only transaction, which sees one state of the data and ends
// with the connection. A door is one pass over its rows, which leaves the cells of all units in our
// memory for both stages. Where they outgrow it, DuckDB groups the rows and spills: one statement
// for each stage, and the same integers.
//
// It begins while the debit is written: the transaction is opened and the statements of the first
// door are planned, on a thread of its own. No row is read before there is a key. Planning looks at
// what DuckDB knows of the columns, so that its time tells of the data: only what the ledger admits
// is prepared, and time is told to those who paid.
class DuckDbPreparation : public Preparation {
 public:
  // Stops, once it reads, at the sign.
  DuckDbPreparation(const DuckDbDatabase& database, const DuckDbResources& resources,
                    const DpPlan& plan, std::shared_ptr<StopSign> sign);

  // Waits for it. Requires: called once.
  Result<DuckDbReading> Finish(PriorityKey key);

  const std::shared_ptr<StopSign>& sign() const { return sign_; }

 private:
  class Work;
  std::shared_ptr<StopSign> sign_;
  std::future<std::unique_ptr<Work>> work_;
};

}  // namespace dpsql
