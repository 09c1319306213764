#include "engine/corridor.h"

#include <utility>

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

// The corridor. docs/00-tour.md prints this function, and a test compares the two.
Result<Answer> Ask(const ast::Select& statement, House house) {
  auto& [catalog, settings, ledger, backend, noise] = house;
  TRY(BoundQuery query, Validate(statement, catalog));
  TRY(DpPlan plan, Plan(std::move(query), settings));
  TRY(std::optional<Answer> stored, ledger.Stored(plan.cost()));
  if (stored) return *std::move(stored);
  TRY(Reservation paid, ledger.Reserve(plan.cost()));
  TRY(Snapshot data, backend.Open(plan, paid));  // one snapshot for all passes of the query
  Released released;
  for (const Door& door : plan.doors()) {
    TRY(ExactTable counts, data.Count(door));                        // stage 1
    const KeySet keys = SelectKeys(std::move(counts), door, noise);  // k and the noisy threshold
    TRY(ExactTable exact, data.Sum(door, keys));                     // stage 2
    TRY_DONE(data.Add(released.Add(door, AddNoise(std::move(exact), keys, door, noise))));
  }
  TRY(std::vector<PublicTable> tables, data.ReadPublic(plan));
  TRY(Answer answer, Publish(plan, released, std::move(tables)));  // public by now
  return ledger.Store(std::move(paid), std::move(answer));
}

}  // namespace dpsql
