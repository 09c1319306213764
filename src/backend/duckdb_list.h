#pragma once

#include <string>

#include "backend/list_tables.h"

namespace dpsql {

// ListTables for a DuckDB file.
Result<Listing> ListDuckDb(const std::string& path, IncidentLog& incidents);

}  // namespace dpsql
