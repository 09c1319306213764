#pragma once

#include <optional>
#include <set>
#include <string>

#include "neighbours/exact_side.h"
#include "plan/dp_plan.h"

// What one unit moves, held against what the plan claims and charges. Whole numbers; nothing is
// rounded but the sums of charges, to 64 bits.
namespace dpsql {

// With and without the unit.
template <typename T>
struct Pair {
  const T& with;
  const T& without;
};

// What a unit moved in all doors of a plan, as the noise weighs it.
struct Spent {
  long double mu_squared = 0;
  long double epsilon = 0;
  std::set<std::string> statistics;  // the names of those that it moved
};

// What is wrong with one door, or nothing; adds to `spent`. Known keys are the same. Stage 1: a
// unit's counts are 1 in each class of at most C0 groups. Stage 2, over the same shown cells:
// statistic by statistic the norm of its noise, and every cell alone. `planned` is the door of the
// plan, whatever door was read.
std::optional<std::string> FindInDoor(const Door& planned, Pair<DoorIntegers> pair, Spent& spent);

// The same for what the doors took together.
std::optional<std::string> FindInPlan(const DpPlan& plan, const Spent& spent);

// The larger of the shares of both charges.
double ShareOf(const DpPlan& plan, const Spent& spent);

// The same for what is read above the doors.
std::optional<std::string> FindAbove(Pair<SideIntegers> pair);

// Rows belong to one unit each, so that what units move one by one adds up to the whole: of all
// counts, and of all statistics but claims.
class WholeOfUnits {
 public:
  void Add(const DpPlan& plan, Pair<SideIntegers> pair);

  // What does not add up.
  std::optional<std::string> Find(const DpPlan& plan, const SideIntegers& all) const;

 private:
  struct Parts {
    OpenedTable counts;
    OpenedTable sums;
  };
  std::vector<Parts> doors_;
};

}  // namespace dpsql
