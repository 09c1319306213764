#pragma once

#include <vector>

#include "backend/public_table.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

namespace dpsql {

// What is asked above the doors, for an engine that has their releases and the public tables.
struct ShownAnswer {
  // Columns: those of the answer, each as boolean, BIGINT, DOUBLE or text; behind them the ends of
  // the intervals of those that have one.
  ast::Select select;
  std::vector<bool> has_interval;  // for each column of the answer
};

// Estimates of a release, unchanged, have its interval. A number that is computed from estimates
// row by row has one where there are draws of these: the middle 95 % of what it is in each draw
// (publish/draws.h). A draw without a value counts as below and above all others; where there are
// more than 2.5 % of them there is no interval. Conditions, orders and limits look at the released
// numbers alone.
ShownAnswer LowerShown(const DpPlan& plan, std::size_t draws);

// Whether an answer has numbers that are computed from estimates, so that draws are of use.
bool WantsDraws(const DpPlan& plan);

// The public tables that the query reads above its doors, with the columns it reads and no rows.
std::vector<PublicTable> PublicReads(const DpPlan& plan);

// The rows of such a table, each value as boolean, BIGINT, DOUBLE or text.
ast::Select LowerPublic(const PublicTable& table);

// The release of a door as a table, without rows: its keys and aggregates by position, and behind
// them the ends l, h of each aggregate's interval. Draws, where there are any, are columns d.
PublicTable ReleaseTable(const Door& door, std::size_t number);

}  // namespace dpsql
