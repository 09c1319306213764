#pragma once

#include <vector>

#include "backend/public_table.h"
#include "backend/stop_sign.h"
#include "dpsql/result.h"
#include "sql/ast.h"

namespace dpsql {

// Answers a query over public tables in an engine of its own, which holds these tables and no
// private data, and little memory. The columns of the query are booleans, BIGINT, DOUBLE or text.
Result<std::vector<std::vector<Value>>> RunPublic(const std::vector<PublicTable>& tables,
                                                  const ast::Select& select);

// The same, until the sign says stop (E505).
Result<std::vector<std::vector<Value>>> RunPublic(const std::vector<PublicTable>& tables,
                                                  const ast::Select& select, StopSign& sign);

}  // namespace dpsql
