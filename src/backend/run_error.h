#pragma once

#include <string_view>

#include "base/incident_log.h"
#include "dpsql/error.h"

namespace dpsql {

// The error of a statement that a database did not finish: one of two fixed texts. The database's
// own words go to the owner's log.
Error RunError(bool interrupted, std::string_view words, IncidentLog& incidents);

}  // namespace dpsql
