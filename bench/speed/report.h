#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dpsql {

// One line of the table.
std::string LineOf(const nlohmann::json& row);
std::string HeadLine();

// What the rows say together: the geometric mean of dpsql/exact and of dpsql/per-unit over the
// queries whose exact time is 5 ms or more, the time added to the shorter ones, and what was
// refused.
nlohmann::json SummaryOf(const nlohmann::json& rows);
std::string TextOf(const nlohmann::json& summary);

// The machine and the versions.
nlohmann::json Surroundings();

}  // namespace dpsql
