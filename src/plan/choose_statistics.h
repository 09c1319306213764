#pragma once

#include <vector>

#include "plan/dp_plan.h"
#include "validate/bound_query.h"

namespace dpsql {

// The fewest statistic vectors that serve all aggregates of a query, and the classes of cells they
// count in. One column's COUNT, SUM and AVG share one vector.
struct StatisticChoice {
  std::vector<CellClass> classes;
  std::vector<Statistic> statistics;
  std::vector<Reading> readings;
};

StatisticChoice ChooseStatistics(const BoundDoor& query);

}  // namespace dpsql
