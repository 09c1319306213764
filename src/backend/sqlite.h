#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/list_tables.h"

namespace dpsql {

// Opens a file of SQLite's for reading alone; see sqlite_connection.h for what it cannot do, and
// sqlite_schema.h for what its columns are taken for.
Result<std::unique_ptr<Backend>> OpenSqlite(const std::string& path, IncidentLog& incidents);

// Its tables, for an owner who has no policy yet.
Result<Listing> ListSqlite(const std::string& path, IncidentLog& incidents);

}  // namespace dpsql
