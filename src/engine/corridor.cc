#include "engine/corridor.h"

#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "noise/add_noise.h"
#include "noise/select_keys.h"
#include "plan/plan.h"
#include "publish/publish.h"
#include "validate/validate.h"

namespace dpsql {

Result<DpPlan> MakePlan(const ast::Select& statement, const House& house) {
  TRY(BoundQuery query, Validate(statement, house.catalog));
  return Plan(std::move(query), house.settings);
}

namespace {

// What can be checked and explained, and not yet answered: nothing is spent on it.
Status RefuseUnanswered(const DpPlan& plan) {
  if (plan.PlainOutputs()) return Done{};
  return MakeError(ErrorCode::kNotYet,
                   "this version does not answer what stands above the release of one door",
                   plan.query().root().span,
                   "ask for keys and aggregates in one SELECT; dpsql check shows the plan");
}

}  // namespace

// The corridor. docs/00-tour.md prints this function, and a test compares the two.
Result<Answer> Ask(const ast::Select& statement, House house) {
  auto& [catalog, settings, ledger, backend, noise] = house;
  TRY(BoundQuery query, Validate(statement, catalog));
  TRY(DpPlan plan, Plan(std::move(query), settings));
  TRY_DONE(RefuseUnanswered(plan));
  TRY(std::optional<Answer> stored, ledger.Stored(plan.cost()));
  if (stored) return *std::move(stored);
  TRY(Reservation paid, ledger.Reserve(plan.cost()));
  TRY(Snapshot data, backend.Open(plan, paid));  // one snapshot for all passes of the query
  Released released;
  for (const Door& door : plan.doors()) {
    TRY(ExactTable counts, data.Count(door));                        // stage 1
    const KeySet keys = SelectKeys(std::move(counts), door, noise);  // k and the noisy threshold
    TRY(ExactTable exact, data.Sum(door, keys));                     // stage 2
    released.Add(AddNoise(std::move(exact), keys, door, noise));
  }
  TRY(Answer answer, Publish(plan, released));  // public by now
  return ledger.Store(std::move(paid), std::move(answer));
}

}  // namespace dpsql
