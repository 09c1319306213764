#include "engine/corridor.h"

#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "engine/explain.h"
#include "noise/add_noise.h"
#include "noise/select_keys.h"
#include "plan/plan.h"
#include "publish/publish.h"
#include "validate/validate.h"

namespace dpsql {

Result<DpPlan> MakePlan(const ast::Select& statement, const House& house) {
  TRY(BoundQuery query, Validate(statement, house.catalog));
  TRY(DpPlan plan, Plan(std::move(query), house.settings));
  TRY_DONE(house.backend.CanRun(plan));
  return plan;
}

namespace {

// Tells who waits for the answer where it is.
void Tell(const House& house, Stage stage, const DpPlan& plan, std::size_t door = 0) {
  if (!house.options.on_progress) return;
  house.options.on_progress({.stage = stage,
                             .door = static_cast<int>(door),
                             .doors = static_cast<int>(plan.doors().size())});
}

// Whoever pays may think for long before he says so.
Status AskToSpend(const DpPlan& plan, const House& house) {
  if (!house.options.before_spending || plan.doors().empty()) return Done{};
  TRY(const Explanation explanation, ExplainPlan(plan, house));
  if (house.options.before_spending(explanation)) return house.still_stands();
  return MakeError(ErrorCode::kWithdrawn, "the question was withdrawn");
}

// The last moment at which a question can be withdrawn for nothing: it may have waited for the
// ledger. What is prepared takes time that may depend on the rows, so it is paid: a cancellation
// that found nothing to stop yet stops it now.
Status PrepareIfStanding(const DpPlan& plan, const House& house,
                         std::unique_ptr<Preparation>& ready) {
  TRY_DONE(house.still_stands());
  ready = house.backend.Prepare(plan);  // reads no row
  if (house.cancelled) house.backend.Interrupt();
  return Done{};
}

// Everything that reads data. Requires: the plan is paid for.
Result<Answer> Run(const DpPlan& plan, const Reservation& paid, std::unique_ptr<Preparation> ready,
                   House house) {
  Tell(house, Stage::kOpening, plan);
  TRY(Snapshot data, house.backend.Open(plan, paid, std::move(ready)));  // one for all passes
  Released released;
  for (std::size_t i = 0; i < plan.doors().size(); ++i) {
    const Door& door = plan.doors()[i];
    Tell(house, Stage::kCounting, plan, i + 1);
    TRY(auto known, data.KnownKeys(door));     // public
    TRY(ExactTable counts, data.Count(door));  // stage 1
    const KeySet keys = SelectKeys(std::move(counts), std::move(known), door, house.noise);
    DrawnNoise drawn(keys.keys.size(), door, house.noise);
    Tell(house, Stage::kSumming, plan, i + 1);
    TRY(ExactTable exact, data.Sum(door, keys));  // stage 2
    TRY_DONE(data.Add(released.Add(door, AddNoise(std::move(exact), keys, std::move(drawn)))));
  }
  Tell(house, Stage::kPublishing, plan);
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
  TRY_DONE(house.backend.CanRun(plan));  // touches no data
  const auto confirm = [&] { return AskToSpend(plan, house); };
  TRY(auto stored, house.ledger.Stored(plan.cost(), confirm, house.still_stands));
  if (stored) return *std::move(stored);
  TRY_DONE(confirm());
  Tell(house, Stage::kPaying, plan);
  std::unique_ptr<Preparation> ready;
  const auto prepare = [&] { return PrepareIfStanding(plan, house, ready); };  // reads no row
  TRY(Reservation paid, house.ledger.Reserve(plan.cost(), prepare));  // or refuses, unprepared
  Result<Answer> answer = Run(plan, paid, std::move(ready), house);
  if (!answer) return Abandoned(std::move(paid), answer.error(), house.ledger);
  return house.ledger.Store(std::move(paid), std::move(answer).value());
}

}  // namespace dpsql
