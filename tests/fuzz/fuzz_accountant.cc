// Bytes as what owner and analysts do with a ledger: questions, answers, failures, grants,
// revocations, pardons, a clock that jumps, programs that start anew, under every accountant. The
// ledger is a real one; beside it a model keeps every charge and says what must come out. Findings:
// a charge that passes a cap, a refusal without a reason, totals that are not the sum, a ledger
// that is not the same after it was opened again.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "account/ledger.h"
#include "account/ledger_owner.h"
#include "account/ledger_upkeep.h"
#include "base/check.h"
#include "fuzz/counting_random.h"
#include "fuzz/finding.h"
#include "fuzz/ledger_model.h"
#include "fuzz/target.h"
#include "support/choices.h"
#include "support/memory_folder.h"

namespace dpsql {
namespace {

constexpr auto kNames = std::to_array<const char*>({"alice", "bob", "carol"});
constexpr std::int64_t kCreated = 1'700'000'000;
constexpr std::size_t kMostSteps = 60;
constexpr std::size_t kPlans = 6;

Answer SmallAnswer() {
  Answer answer;
  answer.columns = {
      {.name = "n", .type = "BIGINT", .role = ColumnRole::kEstimate, .mechanism = "gaussian"}};
  answer.rows = {{std::int64_t{7}}};
  answer.intervals = {{NoiseInterval{.low = 1, .high = 9}}};
  return answer;
}

BudgetTerms DrawTerms(Choices& choices) {
  BudgetTerms terms{.dataset = "shop"};
  Budget& budget = terms.budget;
  budget.accountant = choices.Pick(
      std::to_array<Accountant>({Accountant::kGdp, Accountant::kRdp, Accountant::kBasic}));
  budget.total = {.epsilon = choices.Pick(std::to_array<double>({1, 0.1, 8, 100, 1e-6})),
                  .delta = choices.Pick(std::to_array<double>({1e-6, 1e-9, 0.5, 0.999, 1e-50}))};
  budget.threshold_share = choices.Pick(std::to_array<double>({0.1, 0.001, 0.999, 0.5}));
  if (budget.accountant == Accountant::kGdp) {
    budget.pure_epsilon =
        budget.total.epsilon * choices.Pick(std::to_array<double>({0, 0.25, 1, 0.75}));
  }
  terms.renew_days = choices.Pick(std::to_array<std::int64_t>({0, 1, 30, 36'525}));
  terms.aborts_allowed = choices.Pick(std::to_array<std::int64_t>({1000, 1, 2, 3}));
  for (std::size_t i = choices.Below(kNames.size()); i > 0; --i) {
    const double share = choices.Pick(std::to_array<double>({1, 0.5, 0.1, 1e-3}));
    terms.analysts[kNames[i - 1]] = {.epsilon = std::max(budget.total.epsilon * share, 1e-6),
                                     .delta = std::max(budget.total.delta * share, 1e-50)};
  }
  return terms;
}

// A part of a cap, and the numbers around it where a comparison could slip.
UInt128 DrawCharge(UInt128 cap, Choices& choices) {
  const UInt128 part = cap / choices.Pick(std::to_array<std::uint64_t>({10, 1, 2, 3, 100, 7}));
  switch (choices.Below(8)) {
    case 0:
      return part + 1;
    case 1:
      return part - (part > 0 ? 1 : 0);
    case 2:
      return 0;
    case 3:
      return choices.In16(2) ? ~UInt128{0} : ~UInt128{0} - 1;
    default:
      return part;
  }
}

Purses DrawPurses(const Purses& caps, Choices& choices) {
  Purses charge{.mu_squared = DrawCharge(caps.mu_squared, choices),
                .delta = DrawCharge(caps.delta, choices),
                .epsilon = DrawCharge(caps.epsilon, choices)};
  if (charge == Purses{}) charge.mu_squared = 1;  // nothing that reads data is free
  return charge;
}

std::vector<Cost> DrawPlans(const BudgetTerms& terms, Choices& choices) {
  const Purses caps = CapsOf(terms.budget);
  std::vector<Cost> plans;
  for (std::size_t i = 0; i < kPlans; ++i) {
    plans.push_back({.by_mechanism = DrawPurses(caps, choices),
                     .by_claim = DrawPurses(caps, choices),
                     .asked = {.epsilon = 0.1, .delta = 1e-7},
                     .doors = 1,
                     .plan_digest = std::string(64, static_cast<char>('a' + i)),
                     .storable = choices.In16(10)});
  }
  return plans;
}

bool NoneLarger(const Purses& a, const Purses& b) {
  return a.mu_squared <= b.mu_squared && a.delta <= b.delta && a.epsilon <= b.epsilon;
}

// One life of a ledger.
class Life {
 public:
  Life(const MemoryFolder& folder, Choices& choices)
      : path_(folder / "ledger"),
        choices_(choices),
        terms_(DrawTerms(choices)),
        plans_(DrawPlans(terms_, choices)),
        model_(FixTerms(terms_), kCreated),
        largest_(model_.terms().largest.dataset) {
    folder.Clear();
  }

  std::size_t Run() {
    std::size_t steps = 0;
    Compare(0);  // begins the ledger
    for (; steps < kMostSteps && !choices_.empty(); ++steps) {
      Step();
      Compare(steps % kNames.size());
    }
    StartAnew();
    for (std::size_t i = 0; i < kNames.size(); ++i) Compare(i, true);
    CompareHistory();
    return steps;
  }

 private:
  struct Paid {
    std::size_t name = 0;
    std::size_t plan = 0;
    Reservation reservation;
  };

  LedgerOptions Options(std::size_t name) {
    return {.path = path_,
            .terms = terms_,
            .analyst = kNames[name],
            .random = random_,
            .clock = [this] { return now_; }};
  }

  // Opens the ledger for somebody, or nothing where the terms do not let him in.
  Ledger* Open(std::size_t name) {
    std::optional<Ledger>& ledger = ledgers_.at(name);
    if (ledger) return &*ledger;
    Result<Ledger> opened = Ledger::Open(Options(name));
    const bool listed = terms_.analysts.empty() || terms_.analysts.contains(kNames[name]);
    const bool revoked = model_.terms().revoked.analysts.contains(kNames[name]);
    const std::string expected = !listed ? "B403" : revoked ? "B409" : "";
    Check((opened ? "" : opened.error().code) == expected, "who may ask is who the terms list");
    if (!opened) return nullptr;
    ledger = std::move(opened).value();
    return &*ledger;
  }

  void Step() {
    switch (choices_.Below(16)) {
      case 0:
        return MoveClock();
      case 1:
        return Grant();
      case 2:
        return Revoke();
      case 3:
        return Admit();
      case 4:
        return Pardon();
      case 5:
        return StartAnew();
      case 6:
      case 7:
        return AskStored();
      case 8:
      case 9:
        return End();
      default:
        return Ask();
    }
  }

  void Ask() {
    const std::size_t name = choices_.Below(kNames.size());
    const std::size_t plan = choices_.Below(kPlans);
    Ledger* ledger = Open(name);
    if (ledger == nullptr) return;
    const Purses before = model_.Spent(model_.Window(now_));
    std::optional<Remaining> remaining;
    if (choices_.In16(2)) remaining = ledger->RemainingFor(plans_[plan]).value();
    const std::string expected = model_.Reserve(kNames[name], plans_[plan], now_);
    Result<Reservation> paid = ledger->Reserve(plans_[plan]);
    Check((paid ? "" : paid.error().code) == expected, "a charge is admitted where it fits");
    const bool fits = expected.empty();
    if (remaining && (fits || expected == "B402" || expected == "B405")) {
      Check((remaining->queries_like_this > 0) == fits, "what is left tells what fits");
    }
    if (!paid) return;
    Check(NoneLarger(before, model_.Spent(model_.Window(now_))), "what is spent never falls");
    paid_.push_back({.name = name, .plan = plan, .reservation = std::move(paid).value()});
  }

  void AskStored() {
    const std::size_t name = choices_.Below(kNames.size());
    const Cost& cost = plans_[choices_.Below(kPlans)];
    Ledger* ledger = Open(name);
    if (ledger == nullptr) return;
    const LedgerModel::Outcome expected = model_.Stored(kNames[name], cost, now_);
    const auto stored = ledger->Stored(cost);
    Check((stored ? "" : stored.error().code) == expected.code, "who owes pays, or is refused");
    if (!stored) return;
    Check(stored->has_value() == expected.answered, "an answer is kept where one was stored");
    if (stored->has_value()) {
      Check((*stored)->stored && (*stored)->share_charged == expected.charged, "it says who paid");
    }
  }

  // Ends a reservation: with an answer, without one, or by losing it.
  void End() {
    if (paid_.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(choices_.Below(paid_.size()));
    Paid paid = std::move(paid_[static_cast<std::size_t>(at)]);
    paid_.erase(paid_.begin() + at);
    const std::string name = kNames[paid.name];
    const std::size_t how = choices_.Below(4);
    Ledger* ledger = how == 3 ? nullptr : Open(paid.name);
    if (ledger == nullptr) return model_.Lose(name);
    if (how == 0) {
      model_.Store(name, plans_[paid.plan], now_);
      const auto answer = ledger->Store(std::move(paid.reservation), SmallAnswer());
      Check(answer.ok() && answer->rows == SmallAnswer().rows, "an answer is stored");
      return;
    }
    model_.Abandon(name, how == 1, now_);
    const auto ended = ledger->Abandon(std::move(paid.reservation),
                                       how == 1 ? Ending::kFailed : Ending::kCancelled);
    Check(ended.ok(), "a reservation ends without an answer");
  }

  void MoveClock() {
    now_ += choices_.Pick(std::to_array<std::int64_t>(
        {1, 3'600, 86'400, 40 * 86'400, -86'400, 100'000 * 86'400LL, -50'000 * 86'400LL}));
  }

  void Grant() {
    BudgetTerms next = terms_;
    const double factor = choices_.Pick(std::to_array<double>({2, 0.5, 1, 10}));
    next.budget.total.epsilon = std::clamp(next.budget.total.epsilon * factor, 1e-6, 100.0);
    if (!choices_.In16(4)) {
      next.budget.total.delta = std::clamp(next.budget.total.delta * factor, 1e-50, 0.999);
    }
    next.budget.pure_epsilon = std::min(next.budget.pure_epsilon, next.budget.total.epsilon);
    for (auto& [name, share] : next.analysts) {
      share.epsilon = std::min(share.epsilon, next.budget.total.epsilon);
      share.delta = std::min(share.delta, next.budget.total.delta);
    }
    if (choices_.In16(4)) next.analysts.erase(kNames[choices_.Below(kNames.size())]);
    const auto granted = GrantedTerms(model_.terms(), next);
    LedgerOptions options = Options(0);
    options.terms = next;
    const Status done = GrantTerms(options);
    Check(done.ok() == granted.ok(), "a grant is taken where no purse goes the other way");
    if (!done) return;
    Check(NoneLarger(model_.terms().largest.dataset, granted->largest.dataset),
          "the largest budget that ever was is not forgotten");
    if (ToText(*granted) == ToText(model_.terms())) return;
    model_.Granted(*granted, kNames[0], now_);
    terms_ = next;
    ForgetLedgers();  // who has it open must read the policy again
  }

  void Revoke() {
    const std::string name = choices_.In16(4) ? "" : kNames[choices_.Below(kNames.size())];
    const Status done = RevokeSpending(Options(0), name);
    const bool known = name.empty() || model_.Knows(name);
    Check(done.ok() == known, "who is known can be revoked");
    if (done) model_.Revoke(name, now_);
  }

  void Admit() {
    const std::string name = kNames[choices_.Below(kNames.size())];
    const Status done = AdmitAnalyst(Options(0), name);
    Check(done.ok() == model_.Knows(name), "who is known can be admitted");
    if (done) model_.Admit(name, now_);
  }

  void Pardon() {
    const std::string name = kNames[choices_.Below(kNames.size())];
    const Status done = PardonAnalyst(Options(0), name);
    Check(done.ok() == model_.Pardon(name, now_), "who has asked can be pardoned");
  }

  void ForgetLedgers() {
    for (auto& ledger : ledgers_) ledger.reset();
  }

  // As if the program had ended: whatever was not stored is lost.
  void StartAnew() {
    for (const Paid& paid : paid_) model_.Lose(kNames[paid.name]);
    paid_.clear();
    ForgetLedgers();
  }

  // What somebody is told. With the numbers that people read, which take longer than all the rest.
  void Compare(std::size_t name, bool worth = false) {
    const std::int64_t window = model_.Window(now_);
    const Purses spent = model_.Spent(window);
    largest_ = Larger(largest_, model_.terms().caps.dataset);
    Check(NoneLarger(spent, largest_), "no more is spent than the largest budget");
    Ledger* ledger = Open(name);
    if (ledger == nullptr) return;
    const Result<BudgetState> state = ledger->State();
    Check(state.ok(), "a ledger tells its state");
    Check(state->spent == spent, "the dataset has spent the sum of its charges");
    Check(state->caps == model_.terms().caps.dataset, "the caps are those in force");
    Check(state->analyst_spent == model_.AnalystSpent(kNames[name], window),
          "an analyst has spent the sum of his charges");
    Check(state->releases == model_.releases(), "releases are counted");
    if (worth) CheckWorth(*state);
  }

  static Purses Larger(const Purses& a, const Purses& b) {
    return {.mu_squared = std::max(a.mu_squared, b.mu_squared),
            .delta = std::max(a.delta, b.delta),
            .epsilon = std::max(a.epsilon, b.epsilon)};
  }

  // The numbers that people read follow those that decide. Those of rdp are bounds that a search
  // finds, to its last digits.
  static void CheckWorth(const BudgetState& state) {
    const EpsilonDelta nothing = WorthSpent(state.budget, {});
    const EpsilonDelta spent = WorthSpent(state.budget, state.spent);
    const EpsilonDelta all = WorthLeft(state.budget, state.caps, {});
    const EpsilonDelta left = WorthLeft(state.budget, state.caps, state.spent);
    Check(nothing.epsilon <= spent.epsilon && nothing.delta <= spent.delta, "worth spent rises");
    constexpr double kLastDigits = 1e-12;
    Check(left.epsilon <= all.epsilon * (1 + kLastDigits) && left.delta <= all.delta,
          "worth left falls");
    Check(left.epsilon >= 0 && left.delta >= 0, "nothing left is nothing");
    Check(all.epsilon <= state.budget.total.epsilon && all.delta <= state.budget.total.delta,
          "no more is left than was given");
  }

  // What the files say, read anew from the first row on.
  void CompareHistory() {
    Check(VerifyLedgerFiles(path_, "").ok(), "the files hold together");
    const auto report = ReadLedger(Options(0), 0);
    Check(report.ok() && report->spent == model_.Spent(model_.Window(now_)), "a report is the sum");
    Check(ToText(report->fixed) == ToText(model_.terms()), "the terms are those in force");
    Purses sum;
    const LedgerVisitor visitor{.meta = [](const LedgerMeta&) {},
                                .entry =
                                    [&](const Entry& entry, const std::string&) {
                                      const bool counts = entry.event.kind == EntryKind::kReserve;
                                      if (counts && entry.window == report->window)
                                        sum = SumOf(sum, entry.event.charge);
                                    }};
    Check(ExportLedger(Options(0), visitor).ok(), "a ledger can be exported");
    Check(sum == report->spent, "the exported charges are what is spent");
  }

  std::string path_;
  Choices& choices_;
  BudgetTerms terms_;
  std::vector<Cost> plans_;
  LedgerModel model_;
  Purses largest_;
  std::int64_t now_ = kCreated;
  std::shared_ptr<CountingRandom> random_ = std::make_shared<CountingRandom>();
  std::array<std::optional<Ledger>, kNames.size()> ledgers_;
  std::vector<Paid> paid_;
};

struct Runs {
  MemoryFolder folder;
  std::size_t lives = 0;
  std::size_t steps = 0;
};

Runs& TheRuns() {
  static Runs runs;
  return runs;
}

}  // namespace
}  // namespace dpsql

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  dpsql::TheRuns();  // before the handler: it must outlive it
  return std::atexit([] {
    std::fprintf(stderr, "%zu lives of a ledger, %zu steps\n", dpsql::TheRuns().lives,
                 dpsql::TheRuns().steps);
  });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dpsql::OrAbort(
      [&] {
        dpsql::Runs& runs = dpsql::TheRuns();
        dpsql::Choices choices({data, size});
        runs.steps += dpsql::Life(runs.folder, choices).Run();
        ++runs.lives;
      },
      dpsql::HexOf({data, size}));
  return 0;
}
