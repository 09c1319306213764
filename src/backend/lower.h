#pragma once

#include <string>

#include "plan/dp_plan.h"
#include "sql/ast.h"

// From bound plans to syntax trees. What runs in a database is printed from these trees and from
// nothing else.
namespace dpsql {

// Stage 1 of a door: one row per unit and group, ordered by unit. Columns: the unit as text, the
// keys in canonical form, then one boolean per class of cells.
ast::Select LowerCount(const Door& door);

// Stage 2: the same rows; after the keys come the integers of each statistic: for kRows the number
// of rows, for kValue the sum, for kMoments the number of rows and the sum; nothing for kUnits.
ast::Select LowerSum(const Door& door);

// What is asked above the doors, of their releases and of public tables.
ast::Select LowerAnswer(const DpPlan& plan);

}  // namespace dpsql
