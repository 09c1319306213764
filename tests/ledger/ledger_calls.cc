#include "ledger/ledger_calls.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "account/head_file.h"
#include "account/journal.h"
#include "account/ledger_files.h"
#include "base/answer_json.h"
#include "base/sha256.h"
#include "base/try.h"
#include "privacy/basic_accountant.h"

namespace dpsql {
namespace {

constexpr Budget kBudget{.total = {.epsilon = 1.0, .delta = 1e-6}};

const Purses& Caps() {
  static const Purses caps = CapsOf(kBudget);  // costs more than a reservation
  return caps;
}

Purses Unit(const LedgerPlace& place) {
  return {.mu_squared = Caps().mu_squared / place.slots, .delta = Caps().delta / place.slots};
}

Cost CostOf(const LedgerPlace& place, const Question& question) {
  const Purses unit = Unit(place);
  char digest[65];
  std::snprintf(digest, sizeof(digest), "%064x", question.plan);
  return {.by_mechanism = {.mu_squared = unit.mu_squared * question.units,
                           .delta = unit.delta * question.units},
          .by_claim = BasicCharge({.epsilon = 0.1, .delta = 1e-7}),
          .asked = {.epsilon = 0.1, .delta = 1e-7},
          .doors = 1,
          .plan_digest = digest,
          .storable = question.storable};
}

Answer AnswerOf(std::int64_t number) {
  Answer answer;
  answer.columns = {
      {.name = "n", .type = "BIGINT", .role = ColumnRole::kEstimate, .mechanism = "gaussian"}};
  answer.rows = {{number}};
  answer.intervals = {{NoiseInterval{.low = 1, .high = 2}}};
  answer.price = {.epsilon = 0.1, .delta = 1e-7, .mu = 0.0242, .doors = 1};
  return answer;
}

// All of an answer but what the ledger says anew each time.
HandedOut HandOut(Answer answer) {
  answer.remaining = {};
  answer.stored = false;
  const std::string digest = Sha256Hex(AnswerToJson(answer));
  return {.release = std::stoll(answer.release.substr(2)),
          .digest = std::stoull(digest.substr(0, 16), nullptr, 16)};
}

}  // namespace

Result<Ledger> OpenLedger(const LedgerPlace& place, const std::string& analyst) {
  return Ledger::Open({.path = place.path,
                       .terms = {.dataset = "torture",
                                 .budget = kBudget,
                                 .aborts_allowed = 1'000'000'000},  // many die here
                       .analyst = analyst,
                       .random = MakeRandomSource()});
}

Result<Reservation> Reserve(Ledger& ledger, const LedgerPlace& place, const Question& question) {
  return ledger.Reserve(CostOf(place, question));
}

Result<HandedOut> Store(Ledger& ledger, Reservation paid, std::int64_t number) {
  TRY(Answer answer, ledger.Store(std::move(paid), AnswerOf(number)));
  return HandOut(std::move(answer));
}

Result<std::optional<HandedOut>> Stored(Ledger& ledger, const LedgerPlace& place,
                                        const Question& question) {
  TRY(std::optional<Answer> answer, ledger.Stored(CostOf(place, question)));
  if (!answer) return std::optional<HandedOut>();
  return std::optional<HandedOut>(HandOut(*std::move(answer)));
}

Result<Accounts> ReadAccounts(Ledger& ledger, const LedgerPlace& place) {
  TRY(const BudgetState state, ledger.State());
  return Accounts{
      .caps = state.caps, .spent = state.spent, .unit = Unit(place), .releases = state.releases};
}

Status Verify(Ledger& ledger) { return ledger.Verify(); }

std::int64_t EntriesInHead(const LedgerPlace& place) {
  const HeadLine any{.sequence = 0, .hash = std::string(64, '0')};
  const auto width = static_cast<std::int64_t>(ToText(any).size());
  std::error_code missing;
  const auto size = std::filesystem::file_size(HeadPath(place.path), missing);
  return missing ? 0 : static_cast<std::int64_t>(size) / width - 1;
}

void ReserveBelow(const LedgerPlace& place, std::function<void(std::string_view)> at_point,
                  const std::function<void(std::int64_t)>& reserved) {
  auto journal =
      Journal::Open({.path = place.path, .meta_if_new = {}, .at_point = std::move(at_point)});
  if (!journal.ok()) return;
  const auto reserve = [&](JournalView& view) -> Result<std::optional<Draft>> {
    const Purses unit = Unit(place);
    if (!Fits(Caps(), view.last().spent, unit)) return Error{};
    Draft draft;
    draft.event.reservation = view.last().reservations + 1;
    draft.event.charge = unit;
    return std::optional(draft);
  };
  while (true) {
    const Result<Entry> entry = (*journal)->Append(reserve);
    if (!entry.ok()) return;
    reserved(entry->event.reservation);
  }
}

}  // namespace dpsql
