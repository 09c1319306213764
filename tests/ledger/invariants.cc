#include "ledger/invariants.h"

#include <exception>
#include <utility>

namespace dpsql {
namespace {

class Judgement {
 public:
  Judgement(const LedgerPlace& place, const Facts& facts) : place_(place), facts_(facts) {}

  Verdict Run(Opening opening, bool alone) {
    verdict_.violations = facts_.contradictions;
    try {
      Open(opening, alone);
    } catch (const std::exception& failure) {
      Violation(std::string("threw: ") + failure.what());
    }
    return std::move(verdict_);
  }

 private:
  void Violation(std::string what) { verdict_.violations.push_back(std::move(what)); }

  void Failed(const std::string& call, const Error& error, Opening opening) {
    verdict_.code = error.code;
    const bool stops = error.code == "L601" || error.code == "L602";
    if (opening == Opening::kMustSucceed || !stops) {
      Violation(call + " failed: " + error.code + " " + error.message);
    }
  }

  void Open(Opening opening, bool alone) {
    const auto entries = static_cast<std::int64_t>(facts_.reservations.size()) + facts_.handed;
    if (opening != Opening::kMayBeStale && EntriesInHead(place_) < entries) {
      Violation("the head file misses an entry that was acknowledged");
    }
    Result<Ledger> ledger = OpenLedger(place_, "judge");
    if (!ledger.ok()) return Failed("open", ledger.error(), opening);
    const Status verified = alone ? Verify(*ledger) : Done{};
    if (!verified.ok()) return Failed("verify", verified.error(), opening);
    verdict_.opened = true;
    CompareAccounts(*ledger, alone);
    for (const auto& [plan, releases] : facts_.handed_out) ComparePlan(*ledger, plan, &releases);
    for (const auto& [plan, served] : facts_.served) {
      if (!facts_.handed_out.contains(plan)) ComparePlan(*ledger, plan, nullptr);
    }
  }

  void CompareAccounts(Ledger& ledger, bool alone) {
    const Result<Accounts> accounts = ReadAccounts(ledger, place_);
    if (!accounts.ok()) return Failed("state", accounts.error(), Opening::kMustSucceed);
    const Purses& spent = accounts->spent;
    const Purses& unit = accounts->unit;
    if (spent.mu_squared < unit.mu_squared * facts_.reserved_units ||
        spent.delta < unit.delta * facts_.reserved_units) {
      Violation("less is spent than was acknowledged");
    }
    if (alone && (spent.mu_squared > unit.mu_squared * facts_.asked_units ||
                  spent.delta > unit.delta * facts_.asked_units)) {
      Violation("more is spent than was asked for");
    }
    if (spent.mu_squared > accounts->caps.mu_squared || spent.delta > accounts->caps.delta) {
      Violation("a cap is passed");
    }
    if (accounts->releases < facts_.handed) Violation("fewer releases than were handed out");
  }

  void ComparePlan(Ledger& ledger, std::uint32_t plan, const Facts::Releases* handed) {
    const std::string name = "plan " + std::to_string(plan);
    const auto now = Stored(ledger, place_, {.plan = plan, .units = 1, .storable = true});
    if (!now.ok()) return Failed("the answer of " + name, now.error(), Opening::kMustSucceed);
    if (!now->has_value()) return Violation(name + " was handed out and is not kept");
    const HandedOut& answer = **now;
    const auto before = facts_.served.find(plan);
    if (before != facts_.served.end() &&
        (before->second.release != answer.release || before->second.digest != answer.digest)) {
      Violation(name + " was served as another release before");
    }
    if (handed == nullptr) return;
    const auto same = handed->find(answer.release);
    if (same != handed->end() && same->second != answer.digest) {
      Violation(name + " has other bytes than were handed out");
    }
  }

  const LedgerPlace& place_;
  const Facts& facts_;
  Verdict verdict_;
};

// Returns what went wrong, or nothing.
std::string TrySpending(const LedgerPlace& place, const Facts& facts) {
  constexpr Question kFresh{.plan = 0xffffffff, .units = 1, .storable = true};
  Result<Ledger> ledger = OpenLedger(place, "judge");
  if (!ledger.ok()) return "opening again failed: " + ledger.error().message;
  Result<Reservation> paid = Reserve(*ledger, place, kFresh);
  if (!paid.ok()) return "one more reservation failed: " + paid.error().message;
  if (facts.reservations.contains(paid->id())) return "a reservation has a number used before";
  const Result<HandedOut> answer = Store(*ledger, std::move(paid).value(), 1);
  if (!answer.ok()) return "one more answer failed: " + answer.error().message;
  const auto stored = Stored(*ledger, place, kFresh);
  const bool same = stored.ok() && stored->has_value() && (*stored)->digest == answer->digest;
  return same ? "" : "one more answer is not served as it was handed out";
}

}  // namespace

void SpendOneMore(const LedgerPlace& place, const Facts& facts, Verdict& verdict) {
  try {
    const std::string fault = TrySpending(place, facts);
    if (!fault.empty()) verdict.violations.push_back(fault);
  } catch (const std::exception& failure) {
    verdict.violations.push_back(std::string("spending threw: ") + failure.what());
  }
}

Verdict Judge(const LedgerPlace& place, const Facts& facts, Opening opening) {
  return Judgement(place, facts).Run(opening, true);
}

Verdict JudgeInUse(const LedgerPlace& place, const Facts& facts) {
  return Judgement(place, facts).Run(Opening::kMustSucceed, false);
}

}  // namespace dpsql
