#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/incident_log.h"
#include "catalog/policy.h"
#include "catalog/schema.h"
#include "dpsql/result.h"

// All that a database or a file says of its tables, for an owner who has no policy yet. Names,
// types and constraints; no row is read.
namespace dpsql {

// FOREIGN KEY: `columns` of a table are a key of another, or of itself.
struct ForeignKey {
  std::string table;
  std::vector<std::string> columns;
  std::string parent_table;
  std::vector<std::string> parent_columns;
};

struct Listing {
  Schema schema;
  std::vector<ForeignKey> foreign_keys;
};

Result<Listing> ListTables(std::string_view url, IncidentLog& incidents);

// The tables of a policy that are files. A file of text has no types: its columns are the names in
// its first line, all of them VARCHAR. Refuses (C204) a first line that looks like a row.
// Requires: each table has a source.
Result<Listing> ListFiles(const Policy& policy, IncidentLog& incidents);

}  // namespace dpsql
