#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "backend/postgresql_relations.h"

// Scripts that make a connection ours. Every setting ends with the transaction, so that a pooler
// can hand the line to others.
namespace dpsql {

// Begins the transaction; the account's own timeouts end here.
std::string BeginSnapshot();

// Settings under which our SQL means the same whatever the server, the database and the account
// have set. Row security is off: a row that a policy would hide is an error then, not a silence.
std::string FixSettings(int server_version, std::optional<std::chrono::milliseconds> timeout);

// Requires: nothing was read in the transaction yet.
std::string LockTables(const std::string& schema, const std::vector<PostgreSqlRelation>& relations);

}  // namespace dpsql
