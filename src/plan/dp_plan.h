#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aggregates/aggregate.h"
#include "dpsql/value.h"
#include "privacy/cost.h"
#include "privacy/fixed_point.h"
#include "validate/bound_query.h"

namespace dpsql {

// The rows that count for an aggregate: all of them, or those where its argument is not NULL.
// Each (group, class) is a cell of its own, and only cells with k contributing units are released.
struct CellClass {
  BoundExprPtr argument;  // null: every row
};

// One vector that is summed over units and noised.
struct Statistic {
  StatisticKind kind = StatisticKind::kRows;
  BoundExprPtr argument;
  Interval bounds;
  std::string bounds_origin;
  std::size_t cell_class = 0;
  std::uint64_t clip = 0;           // L2 bound of a unit's vector in grid steps; unused for kUnits
  UInt128 sensitivity_squared = 0;  // in grid steps
  GridSigma sigma;                  // in grid steps
};

// Which statistic an aggregate of the query reads.
struct Reading {
  std::size_t statistic = 0;
  std::size_t cell_class = 0;
};

enum class KeyMode {
  kScalar,      // no GROUP BY: one row
  kKnown,       // the owner declared the values: one row each
  kDiscovered,  // whatever passes both thresholds
};

// A number and who said so, for EXPLAIN.
struct Cap {
  std::int64_t value = 0;
  std::string origin;
};

// Which door of a plan, counted from 0, releases what a part of the query asks.
using DoorNumbers = std::map<const BoundDoor*, std::size_t>;

// A DpAggregate: bound, select keys, aggregate, add noise. The only way from private to public.
struct Door {
  std::shared_ptr<const BoundDoor> query;
  std::shared_ptr<const DoorNumbers> numbers;  // of the doors whose releases it reads
  EpsilonDelta asked;
  KeyMode key_mode = KeyMode::kScalar;
  std::vector<std::vector<Value>> known_keys;  // of kScalar (one empty key) and kKnown
  std::vector<CellClass> classes;
  std::vector<Statistic> statistics;
  std::vector<Reading> readings;  // one per aggregate of the query

  Cap groups_per_unit;  // C0
  Cap rows_per_unit;    // B
  std::int64_t min_frequency = 0;

  // Key selection: exact count >= k and noisy count >= tau. Skipped where keys are public and
  // k <= 1.
  bool selects_keys = false;
  GridSigma count_sigma;
  std::int64_t tau = 0;
  double delta_infinity = 0;
};

// A column of an answer that is a column of the only door's release, unchanged.
struct PlainOutput {
  std::string name;
  bool is_key = false;
  std::size_t index = 0;  // into the door's keys or aggregates
};

// A query with its noise fixed and its price known; nothing has been read yet. Only the planner
// makes one.
class DpPlan {
 public:
  const BoundQuery& query() const { return *query_; }

  // In the order in which they run: one may read the releases of those before it. Doors that ask
  // the same are one.
  const std::vector<Door>& doors() const { return doors_; }

  const DoorNumbers& door_numbers() const { return *numbers_; }

  // The columns of the answer, where it is the release of the only door and nothing above it.
  std::optional<std::vector<PlainOutput>> PlainOutputs() const;

  const Cost& cost() const { return cost_; }

  // The plan as EXPLAIN (DP) prints it. Ensures: depends on the query and the policy only.
  std::string Print() const;

 private:
  friend class Planner;
  explicit DpPlan(std::shared_ptr<const BoundQuery> query) : query_(std::move(query)) {}

  std::shared_ptr<const BoundQuery> query_;
  std::vector<Door> doors_;
  std::shared_ptr<const DoorNumbers> numbers_;
  Cost cost_;
};

}  // namespace dpsql
