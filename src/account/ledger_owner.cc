#include "account/ledger_owner.h"

#include <algorithm>
#include <set>
#include <utility>

#include "account/journal.h"
#include "account/ledger_errors.h"
#include "account/ledger_files.h"
#include "account/ledger_time.h"
#include "account/live_reservations.h"
#include "base/check.h"
#include "base/display.h"
#include "base/error_codes.h"
#include "base/sha256.h"
#include "base/try.h"
#include "base/utf8.h"

namespace dpsql {
namespace {

Result<std::unique_ptr<Journal>> OpenExisting(const LedgerOptions& options) {
  return Journal::OpenExisting(options.path, options.at_point);
}

Event OwnersEvent(EntryKind kind, const std::string& analyst, const LedgerOptions& options) {
  Event event;
  event.kind = kind;
  event.analyst = analyst;
  event.mark = options.clock();
  event.time = UtcText(event.mark);
  return event;
}

Result<std::vector<std::int64_t>> LostReservations(JournalView& view, LiveReservations& live,
                                                   const std::string& analyst) {
  TRY(const std::vector<std::int64_t> open, view.OpenReservations(analyst));
  return live.LostOf(open);
}

// Ends a reservation that was lost with its process, so that a pardon forgives it and no other.
Result<std::optional<Draft>> EndLost(JournalView& view, LiveReservations& live,
                                     std::int64_t reservation, const LedgerOptions& options) {
  TRY(const std::optional<Entry> ended, view.rows().OfReservation(EntryKind::kAbort, reservation));
  TRY(const bool at_work, live.IsLive(reservation));
  if (ended || at_work) return std::optional<Draft>();
  TRY(const std::optional<Entry> reserve,
      view.rows().OfReservation(EntryKind::kReserve, reservation));
  if (!reserve) return DamageError("an open reservation was never made", options.path);
  Draft draft{.event = OwnersEvent(EntryKind::kAbort, reserve->event.analyst, options)};
  draft.event.reservation = reservation;
  draft.event.plan_digest = reserve->event.plan_digest;
  return std::optional(std::move(draft));
}

// Everybody who asked, who is listed, or who is revoked.
Status AddAnalysts(JournalView& view, LiveReservations& live, LedgerReport& report) {
  std::set<std::string> silent;
  for (const auto& [name, total] : report.fixed.terms.analysts) silent.insert(name);
  silent.merge(std::set(report.fixed.revoked.analysts));
  TRY(const std::vector<Entry> last, view.rows().LastOfEach(view.last().sequence));
  for (const Entry& entry : last) {
    const std::string& name = entry.event.analyst;
    if (entry.analyst_queries == 0 && entry.analyst_spent == Purses{}) continue;  // an owner
    silent.erase(name);
    TRY(const std::vector<std::int64_t> lost, LostReservations(view, live, name));
    report.analysts.push_back(
        {.name = name,
         .spent = AnalystSpent({.last = view.last(), .analyst_last = entry}, report.window),
         .queries = entry.analyst_queries,
         .aborts = entry.analyst_aborts + static_cast<std::int64_t>(lost.size())});
  }
  for (const std::string& name : silent) report.analysts.push_back({.name = name});
  std::sort(report.analysts.begin(), report.analysts.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return Done{};
}

// A name that nobody bears would be written down and stop nobody.
Status CheckKnown(JournalView& view, const FixedTerms& in_force, const std::string& analyst) {
  if (in_force.terms.analysts.contains(analyst) || in_force.revoked.analysts.contains(analyst)) {
    return Done{};
  }
  TRY(const Standing standing, view.StandingOf(analyst));
  if (standing.analyst_last && IsValidUtf8(analyst)) return Done{};  // terms are JSON
  return MakeError(ErrorCode::kAnalystUnknown,
                   "no analyst of this name is listed or ever asked: " + Printable(analyst), {},
                   "dpsql budget  lists those who are or did");
}

Status ChangeRevocations(const LedgerOptions& options, EntryKind kind, const std::string& analyst) {
  TRY(const std::unique_ptr<Journal> journal, OpenExisting(options));
  // The terms are read where they are replaced, so that no change of somebody else's is lost.
  const auto decide = [&](JournalView& view) -> Result<std::optional<Draft>> {
    TRY(const FixedTerms before, journal->TermsIn(view));
    if (!analyst.empty()) TRY_DONE(CheckKnown(view, before, analyst));
    const bool revokes = kind == EntryKind::kRevoke;
    const FixedTerms after =
        revokes ? RevokedTerms(before, analyst) : AdmittedTerms(before, analyst);
    if (after.revoked == before.revoked) return std::optional<Draft>();
    Draft draft{.event = OwnersEvent(kind, analyst, options)};
    draft.terms = ToText(after);
    draft.event.payload_digest = Sha256Hex(*draft.terms);
    return std::optional(std::move(draft));
  };
  TRY_DONE(journal->Append(decide));
  return Done{};
}

constexpr std::int64_t kPageSize = 1000;

struct ExportedEntry {
  Entry entry;
  std::string granted_terms;
};

Status ReadPage(JournalView& view, std::int64_t first, std::vector<ExportedEntry>& page) {
  return view.rows().ForEach(first, kPageSize, [&](const Entry& entry) -> Status {
    std::string granted;
    if (SetsTerms(entry.event.kind)) {
      TRY(granted, view.TermsText(entry.sequence));
    }
    page.push_back({.entry = entry, .granted_terms = std::move(granted)});
    return Done{};
  });
}

Status ReadPageBack(JournalView& view, const HistoryPart& part, std::vector<Entry>& page) {
  EntryRows& rows = view.rows();
  const std::int64_t count = std::min(part.limit, kPageSize);
  TRY(page, part.analyst ? rows.Before(part.before, count, *part.analyst)
                         : rows.Before(part.before, count));
  for (const Entry& entry : page) TRY_DONE(view.CheckWitnessed(entry));
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
  TRY(Journal::Terms terms, journal->ReadTerms());
  report.fixed = std::move(terms.fixed);
  TRY(const std::shared_ptr<LiveReservations> live,
      LiveReservations::Open(HeadPath(FollowLink(options.path))));
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
  TRY(const Journal::Terms in_force, journal->ReadTerms());
  TRY(const FixedTerms granted, GrantedTerms(in_force.fixed, options.terms));
  const std::string terms = ToText(granted);
  if (terms == ToText(in_force.fixed)) return Done{};
  const auto decide = [&](JournalView& view) -> Result<std::optional<Draft>> {
    if (view.last().terms != in_force.sequence) {
      return MakeError(ErrorCode::kCapsDiffer, "somebody else changed the budget meanwhile", {},
                       "look at  dpsql budget  and grant again");
    }
    Draft draft{.event = OwnersEvent(EntryKind::kGrant, options.analyst, options)};
    draft.event.payload_digest = Sha256Hex(terms);
    draft.terms = terms;
    return std::optional(std::move(draft));
  };
  TRY_DONE(journal->Append(decide));
  return Done{};
}

Status RevokeSpending(const LedgerOptions& options, const std::string& analyst) {
  return ChangeRevocations(options, EntryKind::kRevoke, analyst);
}

Status AdmitAnalyst(const LedgerOptions& options, const std::string& analyst) {
  Check(!analyst.empty(), "who is admitted has a name");
  return ChangeRevocations(options, EntryKind::kAdmit, analyst);
}

Status VisitHistory(const LedgerOptions& options, const HistoryPart& part,
                    const std::function<void(const std::vector<Entry>& page)>& visit) {
  TRY(const bool exists, LedgerExists(options.path));
  if (!exists) return Done{};
  TRY(const std::unique_ptr<Journal> journal, OpenExisting(options));
  HistoryPart rest = part;
  std::vector<Entry> page;
  const auto read = [&](JournalView& view) { return ReadPageBack(view, rest, page); };
  while (rest.limit > 0) {
    TRY_DONE(journal->Read(read));
    if (page.empty()) return Done{};
    visit(page);  // outside of the transaction: the reader may be slow
    rest.limit -= static_cast<std::int64_t>(page.size());
    rest.before = page.back().sequence;
  }
  return Done{};
}

Status PardonAnalyst(const LedgerOptions& options, const std::string& analyst) {
  TRY(const std::unique_ptr<Journal> journal, OpenExisting(options));
  TRY(const std::shared_ptr<LiveReservations> live,
      LiveReservations::Open(HeadPath(FollowLink(options.path))));
  std::vector<std::int64_t> lost;
  TRY_DONE(journal->Read([&](JournalView& view) -> Status {
    TRY(lost, LostReservations(view, *live, analyst));
    return Done{};
  }));
  for (const std::int64_t reservation : lost) {
    const auto end = [&](JournalView& view) { return EndLost(view, *live, reservation, options); };
    TRY_DONE(journal->Append(end));
  }
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
  std::string previous = GenesisEntry(journal->meta(), 0).hash;
  std::vector<ExportedEntry> page;
  std::int64_t next = 1;
  do {
    page.clear();
    TRY_DONE(journal->Read([&](JournalView& view) { return ReadPage(view, next, page); }));
    // The reader of the export may be slow; nobody's transaction waits for him.
    for (const auto& [entry, granted] : page) {
      if (!HashHolds(entry) || entry.previous != previous) {
        return DamageError("it changed while it was exported", options.path);
      }
      previous = entry.hash;
      visit.entry(entry, granted);
    }
    next += static_cast<std::int64_t>(page.size());
  } while (!page.empty());
  return Done{};
}

}  // namespace dpsql
