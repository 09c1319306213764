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
Result<DpPlan> Plan(BoundQuery query, const Settings& settings);

}  // namespace dpsql
