#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "dpsql/budget.h"

namespace dpsql {

nlohmann::ordered_json JsonOf(const BudgetEvent& event);

}  // namespace dpsql
