#pragma once

#include <string>

#include "dpsql/result.h"

namespace dpsql {

// Makes a new DuckDB file by SQL of our own. For invented data: the only place that writes a
// database, and nothing of an analyst's comes here.
Status MakeDatabase(const std::string& path, const std::string& sql);

}  // namespace dpsql
