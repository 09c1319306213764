#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "account/reservation.h"
#include "backend/exact_table.h"
#include "backend/key_set.h"
#include "backend/public_engine.h"
#include "backend/public_table.h"
#include "base/incident_log.h"
#include "catalog/policy.h"
#include "catalog/schema.h"
#include "dpsql/result.h"
#include "plan/dp_plan.h"

namespace dpsql {

// One frozen view of the data for all passes of a query.
class SnapshotReader {
 public:
  virtual ~SnapshotReader() = default;

  // The keys that are known without private rows: one empty key of a query without groups, declared
  // ones, those in public tables. None where they are discovered.
  virtual Result<std::vector<std::vector<Value>>> KnownKeys(const Door& door) = 0;

  // Stage 1: for each group, how many units count in each class of cells, at most C0 groups per
  // unit by keyed priority. Empty where the door selects no keys.
  virtual Result<ExactTable> Count(const Door& door) = 0;

  // Stage 2: for each key, in order, every statistic's coordinates, each unit's vector bounded.
  virtual Result<ExactTable> Sum(const Door& door, const KeySet& keys) = 0;

  // Takes in the release of a door, for the doors behind it that read it.
  virtual Status Add(const PublicTable& release) = 0;

  // The public tables that the plan reads above its doors.
  virtual Result<std::vector<PublicTable>> ReadPublic(const DpPlan& plan) = 0;

  // Answers a query over public tables; ends as the passes do, with Interrupt or the policy's time.
  virtual Result<std::vector<std::vector<Value>>> Compute(const std::vector<PublicTable>& tables,
                                                          const ast::Select& select) {
    return RunPublic(tables, select);
  }
};

class Snapshot {
 public:
  explicit Snapshot(std::unique_ptr<SnapshotReader> reader) : reader_(std::move(reader)) {}

  Result<std::vector<std::vector<Value>>> KnownKeys(const Door& door) {
    return reader_->KnownKeys(door);
  }
  Result<ExactTable> Count(const Door& door) { return reader_->Count(door); }
  Result<ExactTable> Sum(const Door& door, const KeySet& keys) { return reader_->Sum(door, keys); }
  Status Add(const PublicTable& release) { return reader_->Add(release); }
  Result<std::vector<PublicTable>> ReadPublic(const DpPlan& plan) {
    return reader_->ReadPublic(plan);
  }
  Result<std::vector<std::vector<Value>>> Compute(const std::vector<PublicTable>& tables,
                                                  const ast::Select& select) {
    return reader_->Compute(tables, select);
  }

 private:
  std::unique_ptr<SnapshotReader> reader_;
};

// What a backend has made ready for a plan while it was being paid for. It holds no row and nothing
// that was computed from one; it ends, at the latest, when it goes.
class Preparation {
 public:
  virtual ~Preparation() = default;
};

// A database. One source file each, and one line in open_backend.cc.
class Backend {
 public:
  virtual ~Backend() = default;

  // The schema of the tables the policy names: metadata only.
  virtual Result<Schema> ReadSchema(const Policy& policy) = 0;

  // Refuses a plan that this database cannot run, whatever the data: a function that it does not
  // have, a statement beyond its limits. Asked before anything is paid; touches no data.
  virtual Status CanRun(const DpPlan&) const { return Done{}; }

  // Begins, beside the caller, what can be done for a plan without reading a row: opening a
  // connection, preparing a statement. Null where there is nothing. Failures show in Open.
  // Requires: the plan outlives it, and the ledger admits it: how long a database plans may depend
  // on the data.
  virtual std::unique_ptr<Preparation> Prepare(const DpPlan&) { return nullptr; }

  // Opens the data for a plan that has been paid for.
  // Requires: `ready` is null or was prepared here for this plan.
  virtual Result<Snapshot> Open(const DpPlan& plan, const Reservation& paid,
                                std::unique_ptr<Preparation> ready) = 0;

  // The statements that will run, each with its semicolon; for EXPLAIN and tests.
  virtual std::vector<std::string> PrintSql(const DpPlan& plan) const = 0;

  // Stops a running query from another thread.
  virtual void Interrupt() = 0;
};

// Opens the database of a URL: a bare path, duckdb:PATH, sqlite:PATH, postgresql://… or spark://….
// The database's own error texts go to the owner's log, never into an Error.
Result<std::unique_ptr<Backend>> OpenBackend(std::string_view url, IncidentLog& incidents);

}  // namespace dpsql
