#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/sql_engine.h"
#include "base/incident_log.h"

namespace dpsql {

// Spark SQL behind a Spark Connect server, `rest` as in ReadSparkUrl, through an ADBC driver that
// is loaded now. Refuses (E501) where there is none. Nothing is asked of the server yet.
Result<std::unique_ptr<SqlEngine>> MakeSparkEngine(const std::string& rest, IncidentLog& incidents);

}  // namespace dpsql
