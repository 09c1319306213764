// Bytes as damage to the two files of a ledger: arbitrary bytes, and forgeries of somebody who
// knows the format (forged_ledger.h). The ledger stops with a refusal of its own, or it says what
// its records say: never an exception, never more budget than they leave.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "account/ledger_owner.h"
#include "account/ledger_upkeep.h"
#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/finding.h"
#include "fuzz/forged_ledger.h"
#include "fuzz/target.h"

namespace dpsql {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;

class LedgerTarget {
 public:
  LedgerTarget() : images_(MakeLedgerImages(folder_)) {}

  void Run(Choices choices) {
    ++runs_;
    const BudgetTerms& terms = LedgerForger(folder_, images_, choices).Forge();
    const LedgerOptions options = ForgedOptions(folder_, terms, "alice");
    const bool whole = Verifies();
    const auto report = ReadLedger(options, 100);
    if (!report) Refused(report.error());
    Check(report.ok() || !whole, "what is verified can be read");
    if (report) CompareReport(*report, whole);
    ReadAll(options, whole);
    if (report) Spend(options, *report, whole);
    Own(options, choices);
    const auto after = VerifyLedgerFiles(path_, "");
    if (whole && !after) throw Bug("what was whole is so no more: " + after.error().message);
  }

  std::string Summary() const {
    return std::to_string(runs_) + " ledgers, " + std::to_string(read_) + " read, " +
           std::to_string(whole_) + " whole, " + std::to_string(spent_) + " spent\n";
  }

 private:
  // Of the ledger, or of the budget; short, and fit to be shown.
  static void Refused(const Error& error) {
    const bool own = error.code.starts_with('L') || error.code.starts_with("B4");
    Check(own && error.code != "X901", "damage is refused as damage");
    Check(IsValidUtf8(error.message), "a message is UTF-8");
  }

  template <typename T>
  static bool Answered(const Result<T>& result) {
    if (!result) Refused(result.error());
    return result.ok();
  }

  bool Verifies() const { return Answered(VerifyLedgerFiles(path_, "")); }

  // The present window and sums over it, the plain way.
  static bool InWindow(const RawLedger& raw, const RawEntry& entry, const LedgerReport& report) {
    const std::int64_t days = report.fixed.terms.renew_days;
    return days == 0 || (entry.mark - raw.created) / (days * kSecondsPerDay) == report.window;
  }

  void CompareReport(const LedgerReport& report, bool whole) {
    ++read_;
    const auto raw = ReadRawLedger(path_);
    Check(raw.has_value() || !whole, "what is verified is plain SQL");
    if (!raw) return;
    const bool counts = !raw->entries.empty() && raw->entries.back().window == report.window;
    Check(report.spent == (counts ? raw->entries.back().spent : Purses{}),
          "what is spent is what the last row says");
    if (!whole) return;
    ++whole_;
    Purses sum;
    std::map<std::string, Purses> of_analyst;
    for (const RawEntry& entry : raw->entries) {
      if (!InWindow(*raw, entry, report)) continue;
      if (entry.kind == "reserve") sum = SumOf(sum, entry.charge);
      of_analyst[entry.analyst] = SumOf(of_analyst[entry.analyst], entry.charge);
    }
    Check(report.spent == sum, "what is spent is the sum of the charges");
    Check(ToText(report.fixed) == raw->terms, "the terms are those last recorded");
    for (const AnalystStanding& analyst : report.analysts) {
      Check(analyst.spent == of_analyst[analyst.name], "so it is for each analyst");
    }
  }

  void ReadAll(const LedgerOptions& options, bool whole) const {
    const bool listed = Answered(VisitHistory(options, {}, [](const std::vector<Entry>&) {}));
    const LedgerVisitor visitor{.meta = [](const LedgerMeta&) {},
                                .entry = [](const Entry&, const std::string&) {}};
    const bool exported = Answered(ExportLedger(options, visitor));
    Check(!whole || (listed && exported), "what is verified can be shown");
  }

  void Spend(const LedgerOptions& options, const LedgerReport& report, bool whole) {
    Result<Ledger> ledger = Ledger::Open(options);
    if (!Answered(ledger)) return;
    const auto before = ledger->State();
    Check(before.ok() || !whole, "what is verified tells its state");
    if (!Answered(before)) return;
    Check(before->spent == report.spent && before->caps == report.fixed.caps.dataset,
          "analyst and owner see the same budget");
    for (const char plan : {'a', 'b', 'z'}) {
      static_cast<void>(Answered(ledger->Stored(ForgedCost(options.terms, 20, plan))));
    }
    const auto paid_for = ledger->State();
    if (!Answered(paid_for)) return;
    const Cost cost = ForgedCost(options.terms, 7, 'y');
    const Purses charge = ChargeOf(options.terms.budget.accountant, cost);
    Result<Reservation> paid = ledger->Reserve(cost);
    if (!Answered(paid)) return;
    ++spent_;
    const auto after = ledger->State();
    if (!Answered(after)) return;
    Check(after->spent == SumOf(paid_for->spent, charge), "what is paid is spent");
    Check(Fits(after->caps, after->spent, {}), "no cap is passed");
    static_cast<void>(Answered(ledger->Abandon(std::move(paid).value(), Ending::kFailed)));
  }

  // What an owner may do to a ledger of which he does not know that it is damaged.
  void Own(const LedgerOptions& options, Choices& choices) const {
    LedgerOptions owner = options;
    owner.analyst = "owner";
    switch (choices.Below(6)) {
      case 0:
        owner.terms.budget.total.epsilon *= 2;
        owner.terms.budget.total.delta *= 2;
        static_cast<void>(Answered(GrantTerms(owner)));
        break;
      case 1:
        static_cast<void>(Answered(RevokeSpending(owner, "alice")));
        break;
      case 2:
        static_cast<void>(Answered(PardonAnalyst(owner, "alice")));
        break;
      case 3:
        static_cast<void>(Answered(UpgradeLedgerFiles(path_)));
        break;
      case 4:
        static_cast<void>(Answered(BackUpLedgerFiles(path_, folder_ / "copy")));
        break;
      default:
        break;
    }
  }

  MemoryFolder folder_;
  std::string path_ = folder_ / "ledger";
  std::vector<LedgerImage> images_;
  std::size_t runs_ = 0;
  std::size_t read_ = 0;
  std::size_t whole_ = 0;
  std::size_t spent_ = 0;
};

}  // namespace
}  // namespace dpsql

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  return dpsql::SummarizeAtExit<dpsql::LedgerTarget>();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dpsql::OrAbort(
      [&] {
        dpsql::TheTarget<dpsql::LedgerTarget>().Run(dpsql::Choices({data, size}));
      },
      dpsql::HexOf({data, size}));
  return 0;
}
