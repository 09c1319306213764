#pragma once

#include <string>

#include "support/copied_tables.h"

namespace dpsql {

// A policy that says the same of a database whose tables are the files NAME.parquet of a folder.
// Where the unit is a key of its table, which the policy need not say where the database does,
// `max_rows_per_unit` is 1. Tables that find their unit through a key of another are left out:
// nothing keeps that key. Where the key is the unit itself, and every row has a parent, the column
// is the unit.
std::string FilePolicy(const std::string& policy, const CopiedDatabase& database,
                       const std::string& folder);

}  // namespace dpsql
