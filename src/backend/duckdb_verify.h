#pragma once

#include <string>

#include "backend/verify_keys.h"

namespace dpsql {

// VerifyKeys for a DuckDB file, or for tables that are files where the path is empty.
Result<KeyFindings> VerifyDuckDb(const std::string& path, const Policy& policy,
                                 IncidentLog& incidents);

}  // namespace dpsql
