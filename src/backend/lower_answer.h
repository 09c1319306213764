#pragma once

#include <vector>

#include "backend/public_table.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

namespace dpsql {

// What is asked above the doors, for an engine that has their releases and the public tables.
struct ShownAnswer {
  // Columns: those of the answer, each as boolean, BIGINT, DOUBLE or text; behind them the ends of
  // the intervals of those that are estimates of a release, unchanged.
  ast::Select select;
  std::vector<bool> has_interval;  // for each column of the answer
};
ShownAnswer LowerShown(const DpPlan& plan);

// The public tables that the query reads above its doors, with the columns it reads and no rows.
std::vector<PublicTable> PublicReads(const DpPlan& plan);

// The rows of such a table, each value as boolean, BIGINT, DOUBLE or text.
ast::Select LowerPublic(const PublicTable& table);

// The release of a door as a table, without rows: its keys and aggregates by position, and behind
// them the ends l, h of each aggregate's interval.
PublicTable ReleaseTable(const Door& door, std::size_t number);

}  // namespace dpsql
