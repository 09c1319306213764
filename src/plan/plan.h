#pragma once

#include "dpsql/result.h"
#include "plan/dp_plan.h"
#include "plan/settings.h"
#include "validate/bound_query.h"

namespace dpsql {

// Room 2. Turns a bound query into doors with their caps, noise and price.
// Ensures: the door is (epsilon, delta)-DP for the epsilon and delta of the settings: one vector of
// Gaussian noise over the key count and all statistics, jointly calibrated, with sigmas rounded up
// and the charge computed from the sigmas really used. Proof: docs/proofs/double-threshold.md.
// Where the settings have a target error, epsilon is the smallest that reaches it.
Result<DpPlan> Plan(BoundQuery query, const Settings& settings);

// The same with the epsilon of the settings, whatever their target is.
Result<DpPlan> PlanAt(BoundQuery query, const Settings& settings);

}  // namespace dpsql
