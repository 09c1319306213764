#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/int128.h"
#include "privacy/purses.h"

// The rows of a ledger and the hashes that tie them together. Pure functions.
namespace dpsql {

// Far above any count or time, and far below what an addition could overflow. No ledger says more.
inline constexpr std::int64_t kMostCount = std::int64_t{1} << 62;

// What a ledger was created with. Its hash is the first link, so that caps cannot be changed
// without breaking the chain.
using LedgerMeta = std::map<std::string, std::string>;

enum class EntryKind {
  kReserve,  // a plan was paid for: the dataset and the analyst are charged
  kStore,    // the answer of a reservation is on disk
  kReceipt,  // an answer stored for somebody else was handed out: the analyst alone is charged
  kAbort,    // a paid query ended without an answer, after private data may have been read
  kCancel,   // the analyst stopped a paid query himself
  kPardon,   // the owner lets an analyst ask again: the aborts are forgotten
  kGrant,    // the owner changed the terms of the budget
  kRevoke,   // the owner stopped the spending of an analyst, or of all
  kAdmit,    // the owner lets an analyst spend again
};

// Whether it ends a reservation: a store, an abort or a cancel.
bool EndsReservation(EntryKind kind);

// Whether it brings terms of its own: a grant, a revoke or an admit.
bool SetsTerms(EntryKind kind);

std::string_view ToText(EntryKind kind);
std::optional<EntryKind> ParseEntryKind(std::string_view text);

// What happened, as the caller says it.
struct Event {
  EntryKind kind = EntryKind::kReserve;
  std::int64_t reservation = 0;  // of a receipt: the one whose answer it is
  // Who asked; of a pardon, a revoke or an admit, whom it concerns. Empty: everybody.
  std::string analyst;
  std::string time;       // UTC by the machine's clock, for the history
  std::int64_t mark = 0;  // seconds since 1970 by the same clock, made monotone by the chain
  std::string epsilon;    // as asked, for the history
  std::string delta;
  std::int64_t doors = 0;
  Purses charge;  // nothing but for a reserve and a receipt
  std::string plan_digest;
  std::string payload_digest;  // SHA-256 (hex): of a store its answer, where terms are set of them
  bool keeps_answer = false;   // of a store: its bytes are kept to be handed out again
};

// One row: an event, the running totals after it, and its place in the chain. The row before the
// first one is the genesis: sequence 0, no totals, and the hash of the meta.
struct Entry {
  std::int64_t sequence = 0;
  Event event;
  std::int64_t window = 0;           // the renewal window that the totals are of
  Purses spent;                      // by the dataset in this window
  Purses analyst_spent;              // by this row's analyst in this window
  std::int64_t analyst_queries = 0;  // reservations of this row's analyst, over all windows
  std::int64_t analyst_unended = 0;  // of these, neither answered nor ended otherwise
  std::int64_t analyst_aborts = 0;   // of this row's analyst, since the last pardon
  std::int64_t reservations = 0;
  std::int64_t releases = 0;
  std::int64_t terms = 0;         // the last row that set terms; 0 for those of the creation
  std::int64_t commit_first = 0;  // the first row that was committed together with this one
  std::string previous;
  std::string hash;
};

// What a release is called in answers and reports: r-000017.
std::string ReleaseName(std::int64_t reservation);

// When the totals begin again at zero. The windows are counted from the ledger's creation, by the
// mark: the largest time that the clock has shown so far. A clock that is set back cannot bring an
// old window back, and one that is set forward uses up the windows that it jumps over: each is
// entered at most once.
struct Calendar {
  std::int64_t created = 0;        // seconds since 1970
  std::int64_t renew_seconds = 0;  // 0: never
};

// Requires: mark >= created.
std::int64_t WindowAt(const Calendar& calendar, std::int64_t mark);

// Where the chain stands for one analyst.
struct Standing {
  Entry last;
  std::optional<Entry> analyst_last;  // the last row of this analyst
};

// What the analyst (the dataset) has spent in the window of `mark`.
Purses AnalystSpent(const Standing& standing, std::int64_t window);
Purses DatasetSpent(const Standing& standing, std::int64_t window);

Entry GenesisEntry(const LedgerMeta& meta, std::int64_t created);

// The row that follows. Requires: `standing` is that of the event's analyst; the totals do not wrap
// (else Bug). Ensures: the mark is not below that of the row before.
Entry NextEntry(const Standing& standing, const Calendar& calendar, Event event,
                std::int64_t commit_first);

// Whether `next` is exactly the row that NextEntry makes of its event: its number, mark, window,
// totals, back link and hash. Reservations are numbered as they come.
bool Follows(const Standing& standing, const Calendar& calendar, const Entry& next);

// Whether the hash of the row is the hash of its content.
bool HashHolds(const Entry& entry);

// The number in plain decimal digits, or nothing when it is not one, does not fit, or has a zero
// too many at its front.
std::optional<UInt128> ParseUInt128(std::string_view digits);

}  // namespace dpsql
