#pragma once

#include <vector>

#include "backend/backend.h"
#include "backend/public_table.h"
#include "dpsql/answer.h"
#include "dpsql/result.h"
#include "noise/add_noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// What an answer says that it cost.
Price PriceOf(const Cost& cost);

// The results of a plan's doors, in their order. Public by now.
class Released {
 public:
  // Answers the release as a table, for the doors behind it.
  PublicTable Add(const Door& door, NoisyTable table);

  const std::vector<NoisyTable>& tables() const { return tables_; }

 private:
  std::vector<NoisyTable> tables_;
};

// Room 6. Decodes released statistics into the columns of the query, each estimate with its
// interval, and lets `data` run the SQL above the doors over them and the public tables it reads.
// Post-processing: no budget, no private data.
// Ensures: column types and digits depend on the plan only; rows are in the order that was asked
// for, and where none was, sorted.
Result<Answer> Publish(const DpPlan& plan, const Released& released,
                       std::vector<PublicTable> tables, Snapshot& data);

}  // namespace dpsql
