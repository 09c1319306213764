#pragma once

#include <string>

#include "dpsql/result.h"
#include "plan/dp_plan.h"
#include "plan/settings.h"

namespace dpsql {

// "+- 50" or "+- 5 %".
std::string ToText(const TargetError& target);

// The plan with the smallest epsilon, of three digits, at which the expected 95 % error of every
// aggregate is at most the target; doors whose own clause gives an epsilon keep it. What an
// aggregate would answer is computed from public numbers: its bounds, and the analyst's guess of
// the rows in a cell. Refused where the guess is needed and missing (P106), or where the policy
// does not allow so large an epsilon (B401).
// Privacy: the epsilon is a function of the query, the policy and the settings, none of which is
// private, and the plan is charged as one for which it was given.
// Requires: settings.target is set.
Result<DpPlan> PlanForTarget(const BoundQuery& query, const Settings& settings);

}  // namespace dpsql
