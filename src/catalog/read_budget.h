#pragma once

#include <toml++/toml.h>

#include "catalog/policy.h"

namespace dpsql {

// Reads [budget] and its [budget.analysts.…]. What is wrong with it is added to `problems`.
BudgetPolicy ReadBudget(const toml::table& entry, PolicyProblems& problems);

}  // namespace dpsql
