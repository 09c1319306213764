#pragma once

#include "dpsql/result.h"
#include "dpsql/session.h"
#include "engine/corridor.h"
#include "sql/ast.h"

namespace dpsql {

// EXPLAIN (DP): the plan, its price, what is left and the SQL the database would run. Free: reads
// the ledger and no data.
Result<Explanation> Explain(const ast::Select& statement, const House& house);

// The same of a query that is planned.
Result<Explanation> ExplainPlan(const DpPlan& plan, const House& house);

}  // namespace dpsql
