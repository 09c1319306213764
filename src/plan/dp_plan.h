#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aggregates/aggregate.h"
#include "dpsql/value.h"
#include "plan/settings.h"
#include "privacy/cost.h"
#include "privacy/fixed_point.h"
#include "privacy/laplace.h"
#include "validate/bound_query.h"

namespace dpsql {

// The rows that count for an aggregate: all of them, or those where its arguments are not NULL and
// its FILTER holds. Each (group, class) is a cell of its own, and only cells with k contributing
// units are released.
struct CellClass {
  std::vector<BoundExprPtr> present;  // all of these are not NULL; none: every row
};

// One vector that is summed over units and noised.
struct Statistic {
  StatisticShape shape;
  std::vector<BoundedArgument> arguments;  // x, or x and y; of kDistinct the value, without bounds
  std::size_t cell_class = 0;              // the rows that have the values
  std::size_t row_class = 0;               // where it counts missing ones: all rows
  unsigned step_bits = kMostStepBits;      // a value has 2^step_bits steps

  // A unit's vector over all released cells is scaled to this length in the norm of the noise, L2
  // with the weights of the shape or L1. Statistics that count units are bounded by C0 instead.
  std::uint64_t clip = 0;  // in grid steps

  Mechanism mechanism = Mechanism::kGaussian;
  std::vector<GridSigma> sigmas;  // Gaussian: of each coordinate, in grid steps
  LaplaceRate rate;               // Laplace: of every coordinate

  unsigned grid_bits() const { return GridBits(shape, step_bits); }
};

// Which statistic an aggregate of the query reads.
struct Reading {
  std::size_t statistic = 0;
  std::size_t cell_class = 0;
};

enum class KeyMode {
  kScalar,      // no GROUP BY: one row
  kKnown,       // the owner declared the values: one row each
  kPublic,      // public tables that the rows are joined with hold them: one row each
  kDiscovered,  // whatever passes both thresholds
};

// Which cells are shown; in either way never one of fewer than k units.
enum class KeySelection {
  kNone,                // every cell: keys are public and k <= 1
  kThreshold,           // those whose count, with Gaussian noise, reaches tau
  kTruncatedGeometric,  // each by a coin that depends on its count
};

// A number and who said so, for EXPLAIN.
struct Cap {
  std::int64_t value = 0;  // 0: none is needed
  std::string origin;
};

// Which door of a plan, counted from 0, releases what a part of the query asks.
using DoorNumbers = std::map<const BoundDoor*, std::size_t>;

// A DpAggregate: bound, select keys, aggregate, add noise. The only way from private to public.
struct Door {
  std::shared_ptr<const BoundDoor> query;
  std::shared_ptr<const DoorNumbers> numbers;  // of the doors whose releases it reads
  EpsilonDelta asked;
  std::optional<TargetError> target;  // what its epsilon was chosen for
  KeyMode key_mode = KeyMode::kScalar;
  std::vector<std::vector<Value>> known_keys;  // of kScalar (one empty key) and kKnown
  std::vector<Relation> public_keys;           // of kPublic: the lists of the other keys
  bool rows_are_units = false;  // a key that the database keeps, or the owner verified, says so
  std::vector<CellClass> classes;
  std::vector<Statistic> statistics;
  std::vector<Reading> readings;  // one per aggregate of the query

  Cap groups_per_unit;  // C0
  Cap rows_per_unit;    // B
  std::int64_t min_frequency = 0;

  KeySelection selection = KeySelection::kNone;
  GridSigma count_sigma;      // of kThreshold
  std::int64_t tau = 0;       // of kThreshold
  double delta_infinity = 0;  // of kThreshold
  EpsilonDelta keep;          // of kTruncatedGeometric: of each cell

  bool selects_keys() const { return selection != KeySelection::kNone; }
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
