#pragma once

#include <memory>

#include "dpsql/result.h"
#include "plan/dp_plan.h"
#include "plan/settings.h"

namespace dpsql {

// Plans one door: its keys, its statistics, the caps on what a unit contributes, and its noise.
Result<Door> PlanDoor(std::shared_ptr<const BoundDoor> query, const Settings& settings);

}  // namespace dpsql
