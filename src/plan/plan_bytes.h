#pragma once

#include <string>

#include "plan/dp_plan.h"
#include "plan/settings.h"

namespace dpsql {

// Everything an answer depends on besides the data and the policy's bytes: relation, keys,
// aggregates, columns, caps, and each sigma to the last digit.
// Ensures: two plans have equal bytes only if they are the same plan. Numbers are exact, texts are
// preceded by their length, expressions say their types.
std::string PlanBytes(const DpPlan& plan);

// What one door asks, without its noise. Doors that it reads are written by their numbers.
std::string DoorBytes(const BoundDoor& door, const DoorNumbers& numbers);

std::string SettingsBytes(const Settings& settings);

}  // namespace dpsql
