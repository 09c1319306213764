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

// Everything that reads data. Requires: the plan is paid for.
Result<Answer> Run(const DpPlan& plan, const Reservation& paid, std::unique_ptr<Preparation> ready,
                   House house) {
  auto& [catalog, settings, ledger, backend, noise] = house;
  TRY(Snapshot data, backend.Open(plan, paid, std::move(ready)));  // one for all passes
  Released released;
  for (const Door& door : plan.doors()) {
    TRY(auto known, data.KnownKeys(door));     // public
    TRY(ExactTable counts, data.Count(door));  // stage 1
    const KeySet keys = SelectKeys(std::move(counts), std::move(known), door, noise);
    DrawnNoise drawn(keys.keys.size(), door, noise);
    TRY(ExactTable exact, data.Sum(door, keys));  // stage 2
    TRY_DONE(data.Add(released.Add(door, AddNoise(std::move(exact), keys, std::move(drawn)))));
  }
  TRY(std::vector<PublicTable> tables, data.ReadPublic(plan));
  return Publish(plan, released, std::move(tables), data);  // public by now
}

// A query that is paid for and has no answer: the budget stays spent.
Error Abandoned(Reservation paid, const Error& error, Ledger& ledger) {
  const bool cancelled = error.code == CodeOf(ErrorCode::kInterrupted);
  const Status noted =
      ledger.Abandon(std::move(paid), cancelled ? Ending::kCancelled : Ending::kFailed);
  return noted ? error : noted.error();
}

}  // namespace

// The corridor. docs/00-tour.md prints this function, and a test compares the two.
Result<Answer> Ask(const ast::Select& statement, House house) {
  TRY(BoundQuery query, Validate(statement, house.catalog));
  TRY(DpPlan plan, Plan(std::move(query), house.settings));
  TRY(std::optional<Answer> stored, house.ledger.Stored(plan.cost()));
  if (stored) return *std::move(stored);
  std::unique_ptr<Preparation> ready;
  const auto prepare = [&] { ready = house.backend.Prepare(plan); };  // reads no row
  TRY(Reservation paid, house.ledger.Reserve(plan.cost(), prepare));  // or refuses, unprepared
  Result<Answer> answer = Run(plan, paid, std::move(ready), house);
  if (!answer) return Abandoned(std::move(paid), answer.error(), house.ledger);
  return house.ledger.Store(std::move(paid), std::move(answer).value());
}

}  // namespace dpsql
