#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "catalog/policy.h"

namespace dpsql {

// Reads one [tables.key]. What is wrong with it is added to `problems`.
TablePolicy ReadTable(const toml::table& entry, std::string_view key, const std::string& unit_kind,
                      PolicyProblems& problems);

}  // namespace dpsql
