// Only the planner makes a plan: its price belongs to its noise.
// EXPECT-ERROR: DpPlan(std::shared_ptr<const dpsql::BoundQuery>)' is private within this
#include "plan/dp_plan.h"

namespace dpsql {

int Doors([[maybe_unused]] std::shared_ptr<const BoundQuery> query, const DpPlan& plan) {
#ifdef MUST_NOT_COMPILE
  const DpPlan free_of_charge(query);
#endif
  return plan.cost().doors;
}

}  // namespace dpsql
