#pragma once

#include <vector>

#include "catalog/catalog.h"
#include "dpsql/table_info.h"

namespace dpsql {

// The tables of a catalog as an analyst may know them: hidden columns are left out.
std::vector<TableInfo> DescribeTables(const Catalog& catalog);

}  // namespace dpsql
