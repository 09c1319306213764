#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/list_tables.h"
#include "backend/sql_engine.h"

namespace dpsql {

// The engine of a server, by a URL of libpq: postgresql://user@host:port/database?sslmode=…
// Tables are those of the first schema on the account's search path. Nothing is connected yet.
Result<std::unique_ptr<SqlEngine>> MakePostgreSqlEngine(const std::string& url,
                                                        IncidentLog& incidents);

// ListTables for that schema.
Result<Listing> ListPostgreSql(const std::string& url, IncidentLog& incidents);

}  // namespace dpsql
