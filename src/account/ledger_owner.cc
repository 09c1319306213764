#include "account/ledger_owner.h"

#include <algorithm>
#include <set>
#include <utility>

#include "account/journal.h"
#include "account/ledger_errors.h"
#include "account/ledger_files.h"
#include "account/ledger_time.h"
#include "account/live_reservations.h"
#include "base/error_codes.h"
#include "base/sha256.h"
#include "base/try.h"

namespace dpsql {
namespace {

Result<std::unique_ptr<Journal>> OpenExisting(const LedgerOptions& options) {
  TRY(const bool exists, LedgerExists(options.path));
  if (!exists) {
    return MakeError(ErrorCode::kNoLedger, "there is no ledger yet: " + options.path, {},
                     "it begins with the first question");
  }
  return Journal::Open({.path = options.path, .meta_if_new = {}, .at_point = options.at_point});
}

Result<FixedTerms> TermsInForce(Journal& journal, const std::string& path) {
  TRY(const Journal::Terms terms, journal.ReadTerms());
  std::optional<FixedTerms> fixed = ParseTerms(terms.text);
  if (!fixed) return DamageError("its terms are unreadable", path);
  return *std::move(fixed);
}

Event OwnersEvent(EntryKind kind, const std::string& analyst, const LedgerOptions& options) {
  Event event;
  event.kind = kind;
  event.analyst = analyst;
  event.mark = options.clock();
  event.time = UtcText(event.mark);
  return event;
}

Result<std::int64_t> CountLost(JournalView& view, LiveReservations& live,
                               const std::string& analyst) {
  std::int64_t lost = 0;
  TRY(const std::vector<std::int64_t> open, view.OpenReservations(analyst));
  for (const std::int64_t reservation : open) {
    TRY(const bool at_work, live.IsLive(reservation));
    if (!at_work) ++lost;
  }
  return lost;
}

// Everybody who asked, and everybody who is listed.
Status AddAnalysts(JournalView& view, LiveReservations& live, LedgerReport& report) {
  std::set<std::string> silent;
  for (const auto& [name, total] : report.fixed.terms.analysts) silent.insert(name);
  TRY(const std::vector<Entry> last, view.rows().LastOfEach());
  for (const Entry& entry : last) {
    const std::string& name = entry.event.analyst;
    TRY(const std::int64_t lost, CountLost(view, live, name));
    silent.erase(name);
    if (entry.analyst_queries == 0 && entry.analyst_spent == Purses{}) continue;  // an owner
    report.analysts.push_back(
        {.name = name,
         .spent = AnalystSpent({.last = view.last(), .analyst_last = entry}, report.window),
         .queries = entry.analyst_queries,
         .aborts = entry.analyst_aborts + lost});
  }
  for (const std::string& name : silent) report.analysts.push_back({.name = name});
  std::sort(report.analysts.begin(), report.analysts.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return Done{};
}

}  // namespace

Result<LedgerReport> ReadLedger(const LedgerOptions& options, std::size_t history) {
  LedgerReport report{.fixed = FixTerms(options.terms)};
  TRY(const bool exists, LedgerExists(options.path));
  if (!exists) {
    for (const auto& [name, total] : options.terms.analysts) {
      report.analysts.push_back({.name = name});
    }
    return report;
  }
  TRY(const std::unique_ptr<Journal> journal, OpenExisting(options));
  TRY(report.fixed, TermsInForce(*journal, options.path));
  TRY(const std::shared_ptr<LiveReservations> live, LiveReservations::Open(HeadPath(options.path)));
  report.calendar = journal->calendar();
  TRY_DONE(journal->Read([&](JournalView& view) -> Status {
    const Entry& last = view.last();
    report.window = WindowAt(report.calendar, std::max(options.clock(), last.event.mark));
    report.spent = DatasetSpent({.last = last, .analyst_last = std::nullopt}, report.window);
    report.entries = last.sequence;
    report.reservations = last.reservations;
    report.releases = last.releases;
    TRY(report.history, view.rows().Newest(static_cast<std::int64_t>(history)));
    return AddAnalysts(view, *live, report);
  }));
  return report;
}

Status GrantTerms(const LedgerOptions& options) {
  TRY(const std::unique_ptr<Journal> journal, OpenExisting(options));
  TRY(const FixedTerms recorded, TermsInForce(*journal, options.path));
  TRY_DONE(CheckGrant(recorded.terms, options.terms));
  const std::string terms = ToText(FixTerms(options.terms));
  if (terms == ToText(recorded)) return Done{};
  const auto decide = [&](JournalView&) -> Result<std::optional<Draft>> {
    Draft draft{.event = OwnersEvent(EntryKind::kGrant, options.analyst, options)};
    draft.event.payload_digest = Sha256Hex(terms);
    draft.terms = terms;
    return std::optional(std::move(draft));
  };
  TRY_DONE(journal->Append(decide));
  return Done{};
}

Status PardonAnalyst(const LedgerOptions& options, const std::string& analyst) {
  TRY(const std::unique_ptr<Journal> journal, OpenExisting(options));
  const auto decide = [&](JournalView& view) -> Result<std::optional<Draft>> {
    TRY(const Standing standing, view.StandingOf(analyst));
    if (!standing.analyst_last) {
      return MakeError(ErrorCode::kAnalystUnknown, "no analyst of this name ever asked: " + analyst,
                       {}, "dpsql budget  lists those who did");
    }
    return std::optional(Draft{.event = OwnersEvent(EntryKind::kPardon, analyst, options)});
  };
  TRY_DONE(journal->Append(decide));
  return Done{};
}

Status ExportLedger(const LedgerOptions& options, const LedgerVisitor& visit) {
  TRY(const std::unique_ptr<Journal> journal, OpenExisting(options));
  TRY_DONE(journal->Verify());
  visit.meta(journal->meta());
  return journal->Read([&](JournalView& view) -> Status {
    return view.rows().ForEach(0, [&](const Entry& entry) -> Status {
      std::string granted;
      if (entry.event.kind == EntryKind::kGrant) {
        TRY(granted, view.TermsText(entry.sequence));
      }
      visit.entry(entry, granted);
      return Done{};
    });
  });
}

}  // namespace dpsql
