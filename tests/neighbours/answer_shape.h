#pragma once

#include <optional>
#include <string>

#include "neighbours/movement.h"
#include "plan/dp_plan.h"

namespace dpsql {

// What of an answer other than its numbers changes with the unit, or nothing. Both sides show the
// same keys. Columns, their types, notices and price are the plan's, and each cell is of its
// column's type. A release as it is has the same keys. What is computed above doors may have other
// rows where numbers moved, and only there.
// Requires: both sides were published.
std::optional<std::string> FindInShape(const DpPlan& plan, Pair<SideIntegers> pair);

}  // namespace dpsql
