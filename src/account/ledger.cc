#include "account/ledger.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <utility>

#include "account/budget_meta.h"
#include "account/chain.h"
#include "account/journal.h"
#include "account/ledger_errors.h"
#include "base/answer_json.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

std::string ReleaseName(std::int64_t reservation) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "r-%06" PRId64, reservation);
  return text.data();
}

std::string ShortText(EpsilonDelta value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "epsilon %.4g, delta %.4g", value.epsilon, value.delta);
  return text.data();
}

// A plan that costs nothing, or that has no name, is a mistake of the planner.
void CheckCost(const Cost& cost) {
  Check(cost.doors == 0 || cost.mu_squared != 0 || cost.delta_infinity != 0,
        "a plan that reads private data has a cost");
  Check(cost.plan_digest.size() == 64, "a plan is named by its SHA-256");
}

bool Within(const GdpState& spent, const GdpState& caps) {
  return spent.mu_squared <= caps.mu_squared && spent.delta_infinity <= caps.delta_infinity;
}

Remaining RemainingAfter(const BudgetTerms& terms, const GdpState& spent, const Cost& cost) {
  const GdpState& caps = terms.caps;
  Check(Within(spent, caps), "the caps hold");
  return {.epsilon = GdpEpsilonLeft(terms.budget, caps, spent),
          .delta = DeltaInfinityToDoubleDown(caps.delta_infinity - spent.delta_infinity),
          .queries_like_this = GdpQueriesLeft(caps, spent, cost)};
}

Error Unaffordable(const BudgetTerms& terms, const Cost& cost) {
  return MakeError(ErrorCode::kUnaffordable,
                   "this query costs more than the whole budget of dataset " + terms.dataset +
                       ": it asks " + ShortText(cost.asked) + "; the budget is " +
                       ShortText(terms.budget.total),
                   {}, "ask with a smaller epsilon or delta");
}

Error Exhausted(const BudgetTerms& terms, const GdpState& spent, const Cost& cost) {
  const Remaining left = RemainingAfter(terms, spent, cost);
  return MakeError(ErrorCode::kBudgetExhausted,
                   "this query does not fit what is left of the budget of dataset " +
                       terms.dataset + ": it asks " + ShortText(cost.asked) + "; left are " +
                       ShortText({.epsilon = left.epsilon, .delta = left.delta}));
}

}  // namespace

struct Ledger::Impl {
  LedgerOptions options;
  BudgetTerms terms;  // as the ledger recorded them; the policy's equal them
  std::unique_ptr<Journal> journal;

  // Requires: called under the journal's lock.
  Result<Draft> DecideReserve(const Entry& last, const Cost& cost) const;
  Draft MakeStore(const Entry& last, const Reservation& paid, Answer& answer) const;
};

Result<Draft> Ledger::Impl::DecideReserve(const Entry& last, const Cost& cost) const {
  if (!GdpAdmits(terms.caps, {}, cost)) return Unaffordable(terms, cost);
  if (!GdpAdmits(terms.caps, last.spent, cost)) return Exhausted(terms, last.spent, cost);
  Draft draft{
      .event = {.kind = EntryKind::kReserve,
                .reservation = last.reservations + 1,
                .analyst = options.analyst,
                .time = Now(),
                .epsilon = ExactText(cost.asked.epsilon),
                .delta = ExactText(cost.asked.delta),
                .doors = cost.doors,
                .charge = {.mu_squared = cost.mu_squared, .delta_infinity = cost.delta_infinity},
                .plan_digest = cost.plan_digest,
                .payload_digest = ""},
      .kept_bytes = std::nullopt};
  // The filter's answer is not taken on trust: a wrong one must not pass a cap.
  Check(Within(NextEntry(last, draft.event).spent, terms.caps), "an admitted cost fits the caps");
  return draft;
}

Draft Ledger::Impl::MakeStore(const Entry& last, const Reservation& paid, Answer& answer) const {
  answer.stored = false;
  answer.release = ReleaseName(paid.id());
  answer.remaining = RemainingAfter(terms, last.spent, paid.cost());
  std::string bytes = AnswerToJson(answer);
  Draft draft{.event = {.kind = EntryKind::kStore,
                        .reservation = paid.id(),
                        .analyst = options.analyst,
                        .time = Now(),
                        .epsilon = "",
                        .delta = "",
                        .doors = 0,
                        .charge = {},
                        .plan_digest = paid.cost().plan_digest,
                        .payload_digest = Sha256Hex(bytes)},
              .kept_bytes = std::nullopt};
  if (paid.cost().storable) draft.kept_bytes = std::move(bytes);
  return draft;
}

Ledger::Ledger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Result<Ledger> Ledger::Open(LedgerOptions options) {
  Check(options.random != nullptr, "a ledger has a source of randomness");
  std::array<std::uint32_t, 4> id{};
  options.random->Fill(id);
  const BudgetTerms policy = TermsOfPolicy(options.dataset, options.budget);
  TRY(std::unique_ptr<Journal> journal,
      Journal::Open(
          {.path = options.path, .meta_if_new = MetaOfTerms(policy, id), .at_point = nullptr}));
  const std::optional<BudgetTerms> recorded = TermsOfMeta(journal->meta());
  if (!recorded) return DamageError("its caps are unreadable", options.path);
  TRY_DONE(CheckSameTerms(*recorded, policy));
  TRY(const Entry last, journal->Last());
  if (!Within(last.spent, recorded->caps)) return DamageError("its caps are passed", options.path);
  return Ledger(std::make_unique<Impl>(
      Impl{.options = std::move(options), .terms = *recorded, .journal = std::move(journal)}));
}

Result<std::optional<Answer>> Ledger::Stored(const Cost& cost) {
  if (!cost.storable) return std::optional<Answer>();
  TRY(const std::optional<std::string> bytes, impl_->journal->FindAnswer(cost.plan_digest));
  if (!bytes) return std::optional<Answer>();
  std::optional<Answer> answer = AnswerFromJson(*bytes);
  if (!answer) return DamageError("a stored answer is unreadable", impl_->options.path);
  answer->stored = true;
  TRY(answer->remaining, RemainingFor(cost));
  return answer;
}

Result<Reservation> Ledger::Reserve(const Cost& cost) {
  CheckCost(cost);
  std::array<std::uint32_t, 4> priority_key{};
  impl_->options.random->Fill(priority_key);  // before the debit: no randomness, no charge
  TRY(const Entry entry,
      impl_->journal->Append([&](const Entry& last) { return impl_->DecideReserve(last, cost); }));
  return Reservation(entry.event.reservation, cost, priority_key);
}

Result<Answer> Ledger::Store(Reservation paid, Answer answer) {
  TRY(const Entry entry, impl_->journal->Append([&](const Entry& last) -> Result<Draft> {
    return impl_->MakeStore(last, paid, answer);
  }));
  Check(entry.event.reservation == paid.id(), "the answer is stored under its reservation");
  return answer;
}

Result<BudgetState> Ledger::State() {
  TRY(const Entry last, impl_->journal->Last());
  return BudgetState{.budget = impl_->terms.budget,
                     .caps = impl_->terms.caps,
                     .spent = last.spent,
                     .releases = last.releases};
}

Result<Remaining> Ledger::RemainingFor(const Cost& cost) {
  TRY(const Entry last, impl_->journal->Last());
  return RemainingAfter(impl_->terms, last.spent, cost);
}

Status Ledger::Verify() { return impl_->journal->Verify(); }

}  // namespace dpsql
