#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"

namespace dpsql {

// Opens a DuckDB file read-only and hardened: no other file, no extension, no setting can be
// reached from SQL, and what DuckDB spills goes to a private folder.
Result<std::unique_ptr<Backend>> OpenDuckDb(const std::string& path, IncidentLog& incidents);

}  // namespace dpsql
