#pragma once

#include <string>
#include <vector>

#include "dpsql/table_info.h"

namespace dpsql::cli {

// The tables that can be asked, one line each: private or public, unit, columns.
std::string ListTables(const std::vector<TableInfo>& tables);

// A table with its columns: type, bounds, declared values.
std::string DescribeTable(const TableInfo& table);

}  // namespace dpsql::cli
