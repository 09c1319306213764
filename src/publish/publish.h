#pragma once

#include <vector>

#include "dpsql/answer.h"
#include "dpsql/result.h"
#include "noise/add_noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// The results of a plan's doors, in their order. Public by now.
class Released {
 public:
  void Add(NoisyTable table) { tables_.push_back(std::move(table)); }
  const std::vector<NoisyTable>& tables() const { return tables_; }

 private:
  std::vector<NoisyTable> tables_;
};

// Room 6. Decodes released statistics into the columns of the query, each estimate with its
// interval. Post-processing: no budget, no data.
// Ensures: column types and digits depend on the plan only; rows are sorted by key.
Result<Answer> Publish(const DpPlan& plan, const Released& released);

}  // namespace dpsql
