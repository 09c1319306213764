#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/duckdb_cells.h"
#include "backend/duckdb_door.h"
#include "backend/duckdb_handles.h"
#include "backend/key_set.h"
#include "catalog/schema.h"
#include "dpsql/answer.h"
#include "neighbours/engine_side.h"
#include "plan/dp_plan.h"
#include "support/opened_table.h"

namespace dpsql {

// Which way the backend takes: its own, that of cells which outgrew their memory, or that of a
// database that is reached by SQL alone.
enum class Way { kOwn, kOutgrown, kStatements };

// Which cells are shown, of those that may be.
struct Shown {
  enum class Rule {
    kThreshold,  // as the door selects them, without noise
    kAll,        // all, as large noise could
    kSome,       // some of them, as the seed has it
  };
  Rule rule = Rule::kThreshold;
  std::uint64_t seed = 0;
};

// What all sides are told of a door, so that they differ by the unit's rows alone: which cells are
// shown, and what the door released.
struct DoorScript {
  KeySet keys;
  PublicTable release;
};

// What the noise would get from a door.
struct DoorIntegers {
  std::vector<std::vector<Value>> known;
  OpenedTable counts;
  OpenedTable sums;
  bool operator==(const DoorIntegers&) const = default;
};

struct SideIntegers {
  std::vector<DoorIntegers> doors;
  std::vector<PublicTable> above;  // the public tables that are read above the doors
  std::optional<Answer> answer;    // of these integers without noise, where it is published
};

// How the doors of a plan are read.
struct DoorRun {
  const DpPlan& plan;
  std::span<const Door> doors;  // the plan's, or broken ones
  Keys keys = Keys::kEnforced;  // who says that keys are unique
  Way way = Way::kOwn;
  bool publishes = false;  // each side's own integers
  bool forgets = false;    // broken: stage 2 has priorities of its own
};

// One database behind the backend's own reader, with a fixed key of priorities.
class ExactSide {
 public:
  // A DuckDB in memory. Throws std::runtime_error with DuckDB's words where it takes a statement
  // amiss.
  explicit ExactSide(const std::string& sql);

  // Another engine's, by its URL: there is one way to read it. Throws where it does not open.
  ExactSide(const std::string& url, const Policy& policy);

  // Refuses what the engine does not have.
  Status CanRun(const DpPlan& plan) const;

  Schema ReadSchema() const;

  // Reads the doors, and makes the script of all other sides.
  Result<SideIntegers> ReadFirst(const DoorRun& run, const Shown& shown,
                                 std::vector<DoorScript>& script);

  Result<SideIntegers> Read(const DoorRun& run, const std::vector<DoorScript>& script);

  // The database's own words about the last failure.
  const std::string& last_incident() const { return incidents_->text; }

 private:
  struct Incidents : IncidentLog {
    std::string Record(std::string_view words) override {
      text = words;
      return "i-0";
    }
    std::string text;
  };

  Result<Snapshot> Begin(const DoorRun& run, PriorityKey key);
  Result<ExactTable> Sum(const DoorRun& run, Snapshot& data, const Door& door, const KeySet& keys);

  // The database as one that is reached by SQL alone.
  class Statements;
  Result<Snapshot> BeginStatements(PriorityKey key);

  std::unique_ptr<Incidents> incidents_ = std::make_unique<Incidents>();
  std::unique_ptr<DuckDbDatabase> database_ = std::make_unique<DuckDbDatabase>();
  std::shared_ptr<RowRegistry> rows_ = std::make_shared<RowRegistry>();
  std::shared_ptr<RowFacts> facts_ = std::make_shared<RowFacts>();
  std::shared_ptr<Statements> statements_;
  std::unique_ptr<EngineSide> engine_;  // in the place of DuckDB
};

}  // namespace dpsql
