#pragma once

#include <string>
#include <vector>

#include "dpsql/answer.h"
#include "plan/plan_summary.h"

namespace dpsql {

// EXPLAIN (DP) for programs, on one line:
//   {"doors": […], "above": […], "columns": […], "price": {…}, "remaining": {…}, "sql": […]}
// A door has unit, reads, where, keys, groups_per_unit, rows_per_unit, release, statistics, answers
// and, with dp.target_error, target.
std::string ExplanationJson(const PlanSummary& plan, const Remaining& left,
                            const std::vector<std::string>& sql);

}  // namespace dpsql
