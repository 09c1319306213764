#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "dpsql/budget.h"

namespace dpsql {

nlohmann::ordered_json JsonOf(const BudgetEvent& event);

// On one line. A name that is no UTF-8 is shown with replacement characters.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace dpsql
