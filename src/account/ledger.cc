#include "account/ledger.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

#include "account/account.h"
#include "account/journal.h"
#include "account/ledger_errors.h"
#include "account/ledger_files.h"
#include "account/ledger_time.h"
#include "account/live_reservations.h"
#include "base/answer_json.h"
#include "base/check.h"
#include "base/display.h"
#include "base/error_codes.h"
#include "base/sha256.h"
#include "base/try.h"
#include "base/utf8.h"

namespace dpsql {
namespace {

// A plan that costs nothing, or that has no name, is a mistake of the planner.
void CheckCost(const Cost& cost) {
  const bool free = cost.by_mechanism == Purses{} || cost.by_claim == Purses{};
  Check(cost.doors == 0 || !free, "a plan that reads private data has a cost");
  Check(cost.plan_digest.size() == 64, "a plan is named by its SHA-256");
}

constexpr std::size_t kLongestName = 200;

LedgerMeta MetaIfNew(const LedgerOptions& options) {
  std::array<std::uint32_t, 4> id{};
  options.random->Fill(id);  // makes the chains of two ledgers differ from the first hash on
  std::array<char, 33> name{};
  std::snprintf(name.data(), name.size(), "%08x%08x%08x%08x", id[0], id[1], id[2], id[3]);
  return {{"ledger", name.data()},
          {"created", std::to_string(options.clock())},
          {"terms", ToText(FixTerms(options.terms))}};
}

Result<std::shared_ptr<Journal>> OpenJournal(const LedgerOptions& options) {
  JournalOptions journal{
      .path = options.path, .meta_if_new = MetaIfNew(options), .at_point = options.at_point};
  if (!options.at_point) return Journal::Shared(std::move(journal));
  TRY(std::unique_ptr<Journal> own, Journal::Open(std::move(journal)));
  return std::shared_ptr<Journal>(std::move(own));
}

// Whether a part of it cannot be seen, so that it looks like another one.
bool HasInvisible(std::string_view name) {
  if (name.starts_with(' ') || name.ends_with(' ') || name.find("  ") != name.npos) return true;
  while (!name.empty()) {
    const CodePoint next = DecodeUtf8(name);
    if (IsInvisible(next.value)) return true;
    name.remove_prefix(next.size);
  }
  return false;
}

Status CheckListed(const BudgetTerms& terms, const std::string& analyst) {
  if (analyst.empty()) {
    return MakeError(ErrorCode::kAnalystUnknown, "who asks has no name", {},
                     "give your name with  --analyst");
  }
  // The owner must be able to read it and to write it again, and to tell those that he has not
  // written himself from each other.
  if (Printable(analyst) != analyst) {
    return MakeError(ErrorCode::kAnalystUnknown, "who asks has a name that cannot be printed", {},
                     "give a name of printable characters with  --analyst");
  }
  if (terms.analysts.contains(analyst)) return Done{};
  if (HasInvisible(analyst)) {
    return MakeError(ErrorCode::kAnalystUnknown, "a part of the name of who asks cannot be seen",
                     {}, "give a name of letters with single spaces between them with  --analyst");
  }
  // Entries of the ledger hold it, those of free questions too.
  if (analyst.size() > kLongestName) {
    return MakeError(
        ErrorCode::kAnalystUnknown, "who asks has a name that is too long", {},
        "give a name of at most " + std::to_string(kLongestName) + " bytes with  --analyst");
  }
  if (terms.analysts.empty()) return Done{};
  return MakeError(ErrorCode::kAnalystUnknown, "the policy lists no analyst " + analyst, {},
                   "ask the owner for a share of the budget, or give your name with  --analyst");
}

Error RevokedError(const std::string& analyst) {
  return MakeError(ErrorCode::kRevoked, "the owner has revoked the access of " + analyst, {},
                   "ask the owner, who can lift it with  dpsql budget grant " + analyst);
}

}  // namespace

std::int64_t SystemClock() { return static_cast<std::int64_t>(std::time(nullptr)); }

struct Ledger::Impl {
  LedgerOptions options;
  FixedTerms fixed;  // as the ledger recorded them; the policy's equal them
  std::int64_t terms_sequence = 0;
  std::shared_ptr<Journal> journal;
  std::shared_ptr<LiveReservations> live;

  const std::string& analyst() const { return options.analyst; }

  // The window of an entry that would be written now. Whoever decides reads the clock once, and
  // what he checks is of the same window as what he writes.
  std::int64_t WindowOf(const Standing& standing, std::int64_t now) const {
    return WindowAt(journal->calendar(), std::max(now, standing.last.event.mark));
  }

  Account DatasetAccount(const Standing& standing, std::int64_t now) const {
    return {.name = "dataset " + fixed.terms.dataset,
            .budget = fixed.terms.budget,
            .caps = fixed.caps.dataset,
            .spent = DatasetSpent(standing, WindowOf(standing, now))};
  }

  // Where the analyst has a cap of his own.
  std::optional<Account> OwnAccount(const Standing& standing, std::int64_t now) const {
    const auto listed = fixed.terms.analysts.find(analyst());
    if (listed == fixed.terms.analysts.end()) return std::nullopt;
    return Account{.name = "analyst " + analyst(),
                   .budget = BudgetOfAnalyst(fixed.terms, listed->second),
                   .caps = fixed.caps.analysts.at(analyst()),
                   .spent = AnalystSpent(standing, WindowOf(standing, now))};
  }

  Remaining RemainingNow(const Standing& standing, const Cost& cost) const {
    const std::int64_t now = options.clock();
    const Remaining dataset = RemainingOf(DatasetAccount(standing, now), cost);
    const std::optional<Account> own = OwnAccount(standing, now);
    return own ? LesserOf(dataset, RemainingOf(*own, cost)) : dataset;
  }

  Event NewEvent(EntryKind kind, std::int64_t reservation, const Cost& cost,
                 std::int64_t now) const {
    return {.kind = kind,
            .reservation = reservation,
            .analyst = analyst(),
            .time = UtcText(now),
            .mark = now,
            .epsilon = "",
            .delta = "",
            .doors = 0,
            .charge = {},
            .plan_digest = cost.plan_digest,
            .payload_digest = ""};
  }

  // An event that is charged, or why it cannot be.
  Result<Event> Purchase(EntryKind kind, std::int64_t reservation, const Cost& cost,
                         const Standing& standing) const;
  // What is revoked by now; B404 where the owner changed more since this ledger was opened.
  Result<Revocations> RevokedNow(JournalView& view) const;
  Status CheckMayAsk(JournalView& view) const;
  Status CheckMaySpend(JournalView& view) const;
  Status CheckAbortsAllowed(JournalView& view, const Standing& standing) const;
  Result<bool> HasPaid(JournalView& view, const KeptAnswer& kept, const Cost& cost) const;
  Result<Answer> Reopen(const KeptAnswer& kept, const Standing& standing, const Cost& cost) const;

  // Requires: called under the journal's lock, as all that decide.
  Result<std::optional<Draft>> DecideReserve(JournalView& view, const Cost& cost,
                                             LiveMark& mark) const;
  Result<std::optional<Draft>> DecideReceipt(JournalView& view, const Cost& cost) const;
  Result<std::optional<Draft>> DecideStore(JournalView& view, const Reservation& paid,
                                           Answer& answer) const;
};

Result<Revocations> Ledger::Impl::RevokedNow(JournalView& view) const {
  if (view.last().terms == terms_sequence) return fixed.revoked;
  TRY(const FixedTerms now, view.TermsInForce());
  if (SameButRevocations(now, fixed)) return now.revoked;
  return MakeError(ErrorCode::kCapsDiffer, "the owner changed the budget meanwhile", {},
                   "read the policy again: start anew");
}

Status Ledger::Impl::CheckMayAsk(JournalView& view) const {
  TRY(const Revocations revoked, RevokedNow(view));
  if (revoked.analysts.contains(analyst())) return RevokedError(analyst());
  return Done{};
}

Status Ledger::Impl::CheckMaySpend(JournalView& view) const {
  TRY(const Revocations revoked, RevokedNow(view));
  if (!revoked.OfSpending(analyst())) return Done{};
  if (revoked.analysts.contains(analyst())) return RevokedError(analyst());
  return MakeError(ErrorCode::kRevoked, "the owner has stopped all spending", {},
                   "answers that are paid for stay free; the owner can lift it with  "
                   "dpsql budget grant");
}

Result<Event> Ledger::Impl::Purchase(EntryKind kind, std::int64_t reservation, const Cost& cost,
                                     const Standing& standing) const {
  const std::int64_t now = options.clock();
  Event event = NewEvent(kind, reservation, cost, now);
  event.epsilon = ExactText(cost.asked.epsilon);
  event.delta = ExactText(cost.asked.delta);
  event.doors = cost.doors;
  event.charge = ChargeOf(fixed.terms.budget.accountant, cost);
  const Account dataset = DatasetAccount(standing, now);
  if (kind == EntryKind::kReserve) TRY_DONE(CheckFits(dataset, cost));
  const std::optional<Account> own = OwnAccount(standing, now);
  if (own) TRY_DONE(CheckFits(*own, cost));
  // The accountant's answer is not taken on trust: a wrong one must not pass a cap.
  const Entry next = NextEntry(standing, journal->calendar(), event, 0);
  Check(kind != EntryKind::kReserve || Fits(dataset.caps, next.spent, {}),
        "an admitted cost fits the dataset's caps");
  Check(!own || Fits(own->caps, next.analyst_spent, {}), "an admitted cost fits the analyst's");
  return event;
}

// A query that ends without an answer may tell one exact bit: that it did. No charge covers it, so
// their number is bounded. All that have not ended count, as each of them may still be lost, and a
// crash tells as much as an abort.
Status Ledger::Impl::CheckAbortsAllowed(JournalView& view, const Standing& standing) const {
  if (!standing.analyst_last) return Done{};
  std::int64_t aborts = standing.analyst_last->analyst_aborts;
  const std::int64_t unended = standing.analyst_last->analyst_unended;
  if (aborts + unended < fixed.terms.aborts_allowed) return Done{};
  TRY(const std::vector<std::int64_t> open, view.OpenReservations(analyst()));
  TRY(const std::vector<std::int64_t> lost, live->LostOf(open));
  aborts += static_cast<std::int64_t>(lost.size());
  if (aborts < fixed.terms.aborts_allowed) {
    return MakeError(ErrorCode::kTooManyAtOnce,
                     std::to_string(unended) + " queries of " + analyst() +
                         " have not ended, as many as the policy allows to fail");
  }
  return MakeError(
      ErrorCode::kLockedOut,
      std::to_string(aborts) + " queries of " + analyst() +
          " ended without an answer, as many as the policy allows",
      {}, "the owner looks at the incident log, then runs  dpsql budget pardon " + analyst());
}

Result<std::optional<Draft>> Ledger::Impl::DecideReserve(JournalView& view, const Cost& cost,
                                                         LiveMark& mark) const {
  TRY_DONE(CheckMaySpend(view));
  TRY(const Standing standing, view.StandingOf(analyst()));
  TRY_DONE(CheckAbortsAllowed(view, standing));
  const std::int64_t reservation = view.last().reservations + 1;
  TRY(Event event, Purchase(EntryKind::kReserve, reservation, cost, standing));
  TRY_DONE(live->Mark(reservation));
  mark = LiveMark(live, reservation);
  return std::optional(Draft{.event = std::move(event)});
}

Result<bool> Ledger::Impl::HasPaid(JournalView& view, const KeptAnswer& kept,
                                   const Cost& cost) const {
  const bool capped = fixed.terms.analysts.contains(analyst());
  if (!capped || kept.analyst == analyst()) return true;
  TRY(const bool receipt, view.HasReceipt(kept.reservation, analyst()));
  if (receipt) return true;
  return view.HasBought(kept, cost.plan_digest, analyst());
}

Result<std::optional<Draft>> Ledger::Impl::DecideReceipt(JournalView& view,
                                                         const Cost& cost) const {
  TRY_DONE(CheckMayAsk(view));
  TRY(const std::optional<KeptAnswer> kept, view.FindAnswer(cost.plan_digest));
  Check(kept.has_value(), "a kept answer stays");
  TRY(const bool paid, HasPaid(view, *kept, cost));
  if (paid) return std::optional<Draft>();
  TRY_DONE(CheckMaySpend(view));
  TRY(const Standing standing, view.StandingOf(analyst()));
  TRY(Event event, Purchase(EntryKind::kReceipt, kept->reservation, cost, standing));
  return std::optional(Draft{.event = std::move(event)});
}

Result<Answer> Ledger::Impl::Reopen(const KeptAnswer& kept, const Standing& standing,
                                    const Cost& cost) const {
  std::optional<Answer> answer = AnswerFromJson(kept.bytes);
  if (!answer) return DamageError("a stored answer is unreadable", options.path);
  answer->stored = true;
  answer->remaining = RemainingNow(standing, cost);
  return *std::move(answer);
}

Result<std::optional<Draft>> Ledger::Impl::DecideStore(JournalView& view, const Reservation& paid,
                                                       Answer& answer) const {
  const Cost& cost = paid.cost();
  TRY(const Standing standing, view.StandingOf(analyst()));
  Draft draft{.event = NewEvent(EntryKind::kStore, paid.id(), cost, options.clock())};
  if (cost.storable) {
    TRY(const std::optional<KeptAnswer> kept, view.FindAnswer(cost.plan_digest));
    if (kept) {
      // Somebody was quicker. There is one answer to a plan, and this one has been paid for too.
      TRY(answer, Reopen(*kept, standing, cost));
      answer.stored = false;
      draft.event.payload_digest = Sha256Hex(kept->bytes);
      return std::optional(std::move(draft));
    }
  }
  answer.stored = false;
  answer.release = ReleaseName(paid.id());
  answer.remaining = RemainingNow(standing, cost);
  std::string bytes = AnswerToJson(answer);
  draft.event.payload_digest = Sha256Hex(bytes);
  draft.event.keeps_answer = cost.storable;
  if (cost.storable) draft.kept_bytes = std::move(bytes);
  return std::optional(std::move(draft));
}

Ledger::Ledger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Result<Ledger> Ledger::Open(LedgerOptions options) {
  Check(options.random != nullptr, "a ledger has a source of randomness");
  options.path = FollowLink(options.path);
  TRY(std::shared_ptr<Journal> journal, OpenJournal(options));
  TRY(const Journal::Terms terms, journal->ReadTerms());
  TRY_DONE(CheckSameTerms(terms.fixed.terms, options.terms));
  TRY_DONE(CheckListed(terms.fixed.terms, options.analyst));
  if (terms.fixed.revoked.analysts.contains(options.analyst)) return RevokedError(options.analyst);
  TRY(std::shared_ptr<LiveReservations> live, LiveReservations::Open(HeadPath(options.path)));
  return Ledger(std::make_unique<Impl>(Impl{.options = std::move(options),
                                            .fixed = terms.fixed,
                                            .terms_sequence = terms.sequence,
                                            .journal = std::move(journal),
                                            .live = std::move(live)}));
}

Result<std::optional<Answer>> Ledger::Stored(const Cost& cost,
                                             const std::function<Status()>& before_paying,
                                             const std::function<Status()>& admitted) {
  std::optional<Answer> answer;
  if (!cost.storable) return answer;
  bool owes = false;
  const auto read = [&](JournalView& view) -> Status {
    TRY_DONE(impl_->CheckMayAsk(view));
    TRY(const std::optional<KeptAnswer> kept, view.FindAnswer(cost.plan_digest));
    if (!kept) return Done{};
    TRY(const bool paid, impl_->HasPaid(view, *kept, cost));
    owes = !paid;
    if (owes) return Done{};
    TRY(const Standing standing, view.StandingOf(impl_->analyst()));
    TRY(answer, impl_->Reopen(*kept, standing, cost));
    return Done{};
  };
  TRY_DONE(impl_->journal->Read(read));
  if (!owes) return answer;
  if (before_paying) TRY_DONE(before_paying());
  const auto decide = [&](JournalView& view) -> Result<std::optional<Draft>> {
    TRY(std::optional<Draft> draft, impl_->DecideReceipt(view, cost));
    if (admitted) TRY_DONE(admitted());
    return draft;
  };
  TRY_DONE(impl_->journal->Append(decide));
  TRY_DONE(impl_->journal->Read(read));
  Check(answer.has_value(), "what is paid for is handed out");
  answer->share_charged = true;
  return answer;
}

Result<Reservation> Ledger::Reserve(const Cost& cost, const std::function<Status()>& admitted) {
  CheckCost(cost);
  std::array<std::uint32_t, 4> priority_key{};
  impl_->options.random->Fill(priority_key);  // before the debit: no randomness, no charge
  LiveMark mark;
  const auto decide = [&](JournalView& view) -> Result<std::optional<Draft>> {
    TRY(std::optional<Draft> draft, impl_->DecideReserve(view, cost, mark));
    if (admitted) TRY_DONE(admitted());
    return draft;
  };
  TRY(const Entry entry, impl_->journal->Append(decide));
  return Reservation(entry.event.reservation, cost, priority_key, std::move(mark));
}

Result<Answer> Ledger::Store(Reservation paid, Answer answer) {
  TRY(const Entry entry, impl_->journal->Append([&](JournalView& view) {
    return impl_->DecideStore(view, paid, answer);
  }));
  Check(entry.event.reservation == paid.id(), "the answer is stored under its reservation");
  return answer;
}

Status Ledger::Abandon(Reservation paid, Ending ending) {
  const EntryKind kind = ending == Ending::kFailed ? EntryKind::kAbort : EntryKind::kCancel;
  const auto decide = [&](JournalView&) -> Result<std::optional<Draft>> {
    return std::optional(
        Draft{.event = impl_->NewEvent(kind, paid.id(), paid.cost(), impl_->options.clock())});
  };
  TRY_DONE(impl_->journal->Append(decide));
  return Done{};
}

Result<BudgetState> Ledger::State() {
  BudgetState state;
  TRY_DONE(impl_->journal->Read([&](JournalView& view) -> Status {
    TRY(const Standing standing, view.StandingOf(impl_->analyst()));
    const std::int64_t now = impl_->options.clock();
    const Account dataset = impl_->DatasetAccount(standing, now);
    state = {.budget = dataset.budget,
             .caps = dataset.caps,
             .spent = dataset.spent,
             .analyst_caps = std::nullopt,
             .analyst_spent = AnalystSpent(standing, impl_->WindowOf(standing, now)),
             .releases = standing.last.releases};
    if (const auto own = impl_->OwnAccount(standing, now)) state.analyst_caps = own->caps;
    return Done{};
  }));
  return state;
}

Result<Remaining> Ledger::RemainingFor(const Cost& cost) {
  Remaining left;
  TRY_DONE(impl_->journal->Read([&](JournalView& view) -> Status {
    TRY(const Standing standing, view.StandingOf(impl_->analyst()));
    left = impl_->RemainingNow(standing, cost);
    return Done{};
  }));
  return left;
}

Status Ledger::Verify() {
  TRY_DONE(impl_->journal->Verify());
  return Done{};
}

}  // namespace dpsql
