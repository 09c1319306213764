// The full check of a ledger: everything that Journal::ReadTail takes on trust from the chain.
#include <limits>
#include <map>

#include "account/journal.h"
#include "base/sha256.h"
#include "base/try.h"

namespace dpsql {
namespace {

// A row that somebody put before the first is a row too.
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

// Which reservations are open, as the entries tell it.
class OpenByEntries {
 public:
  void Note(const Event& event) {
    switch (event.kind) {
      case EntryKind::kReserve:
        open_[event.reservation] = event.analyst;
        return;
      case EntryKind::kStore:
      case EntryKind::kAbort:
      case EntryKind::kCancel:
        open_.erase(event.reservation);
        return;
      case EntryKind::kPardon:
      case EntryKind::kReceipt:
      case EntryKind::kGrant:
      case EntryKind::kRevoke:
      case EntryKind::kAdmit:
        return;
    }
  }

  const std::map<std::int64_t, std::string>& get() const { return open_; }

 private:
  std::map<std::int64_t, std::string> open_;
};

// Whether the terms that an entry set are what its kind makes of those before it. A grant brings
// new caps, but lifts no revocation of one analyst.
bool TermsFollow(const Event& event, const FixedTerms& before, const FixedTerms& after) {
  switch (event.kind) {
    case EntryKind::kRevoke:
      return ToText(after) == ToText(RevokedTerms(before, event.analyst));
    case EntryKind::kAdmit:
      return !event.analyst.empty() &&
             ToText(after) == ToText(AdmittedTerms(before, event.analyst));
    default:
      return after.revoked == AdmittedTerms(before, "").revoked;
  }
}

}  // namespace

Result<Entry> Journal::Verify() {
  const std::lock_guard guard(mutex_);
  TRY_DONE(CheckUsable());
  // From one view and without the lock, so that nobody waits: others go on, but never back.
  TRY(const std::int64_t head_last, head_.LastSequence());
  TRY(const SqliteTransaction view, SqliteTransaction::BeginRead(database_));
  TRY(const std::string structure, database_.QueryText("PRAGMA integrity_check(1)"));
  if (structure != "ok") return Damage("SQLite finds its structure broken");
  const LedgerMeta opened_with = meta_;
  TRY_DONE(ReadMeta());
  if (meta_ != opened_with) return Damage("its terms are not those it was opened with");
  TRY(const Entry last, VerifyEntries(head_last));
  if (last.sequence < head_last) return Damage("it is an old copy or lost its log");
  if (head_last < last.commit_first - 1 && !HeadHasGrown(last)) {
    return Damage("its head file is an old copy");
  }
  TRY_DONE(VerifyStores());
  TRY_DONE(VerifyVersion());
  TRY_DONE(VerifyTerms());
  TRY_DONE(VerifyAnswers());
  return last;
}

// Others may have committed between the two readings; then their lines are there by now, but for
// those of the last commit.
bool Journal::HeadHasGrown(const Entry& last) const {
  const Result<std::int64_t> head_last = head_.LastSequence();
  return head_last.ok() && *head_last >= last.commit_first - 1;
}

Result<Entry> Journal::VerifyEntries(std::int64_t head_last) {
  Entry last = GenesisEntry(meta_, calendar_.created);
  std::map<std::string, Entry> of_analyst;
  OpenByEntries open;
  TRY_DONE(rows_.ForEach(kLowest, [&](const Entry& entry) -> Status {
    Standing standing{.last = last, .analyst_last = std::nullopt};
    const auto known = of_analyst.find(entry.event.analyst);
    if (known != of_analyst.end()) standing.analyst_last = known->second;
    if (!Follows(standing, calendar_, entry)) {
      return Damage("entry " + std::to_string(last.sequence + 1) + " does not fit the chain");
    }
    if (Status fits = VerifyHeadLine(entry, head_last); !fits) return fits;
    open.Note(entry.event);
    of_analyst[entry.event.analyst] = entry;
    last = entry;
    return Done{};
  }));
  TRY_DONE(VerifyOpenReservations(open.get()));
  return last;
}

Status Journal::VerifyHeadLine(const Entry& entry, std::int64_t head_last) {
  if (entry.sequence > head_last) return Done{};
  TRY(const HeadLine line, head_.Line(entry.sequence));
  if (line.hash == entry.hash) return Done{};
  return Damage("entry " + std::to_string(entry.sequence) + " does not match the head file");
}

Status Journal::VerifyOpenReservations(const std::map<std::int64_t, std::string>& open) {
  std::map<std::int64_t, std::string> listed;
  TRY(SqliteStatement rows,
      database_.Prepare("SELECT reservation, analyst FROM open_reservations"));
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) break;
    listed[rows.Int(0)] = rows.Text(1);
  }
  if (listed == open) return Done{};
  return Damage("its open reservations are not those of its entries");
}

// Whoever reserved ends it, else it would stay open for him, and another would have less than none.
// A receipt is of whoever it was handed to.
Status Journal::VerifyStores() {
  TRY(const std::int64_t unpaid,
      database_.QueryInt(
          "SELECT count(*) FROM entries AS s LEFT JOIN entries AS r "
          "ON r.reservation = s.reservation AND r.reservation > 0 AND r.kind = 'reserve' "
          "WHERE s.kind IN ('store', 'abort', 'cancel', 'receipt') AND (r.sequence IS NULL "
          "OR r.sequence > s.sequence OR r.plan_digest <> s.plan_digest "
          "OR (s.kind <> 'receipt' AND r.analyst <> s.analyst))"));
  if (unpaid != 0) return Damage("an answer was stored without a reservation");
  TRY(const std::int64_t twice,
      database_.QueryInt("SELECT count(*) FROM (SELECT 1 FROM entries "
                         "WHERE kind IN ('reserve', 'store', 'abort', 'cancel') "
                         "GROUP BY reservation, kind = 'reserve' HAVING count(*) > 1)"));
  if (twice != 0) return Damage("a reservation was made or ended twice");
  return Done{};
}

Status Journal::VerifyVersion() {
  TRY(const std::int64_t version, database_.QueryInt("PRAGMA user_version"));
  TRY(const std::int64_t newer,
      database_.QueryInt("SELECT count(*) FROM entries WHERE kind IN ('revoke', 'admit')"));
  if (version >= 3 || newer == 0) return Done{};
  return Damage("its version is older than its entries");
}

Status Journal::VerifyTerms() {
  TRY(const std::int64_t ungranted,
      database_.QueryInt("SELECT count(*) FROM terms AS t LEFT JOIN entries AS e "
                         "ON e.sequence = t.sequence AND e.kind IN ('grant', 'revoke', 'admit') "
                         "WHERE e.sequence IS NULL"));
  if (ungranted != 0) return Damage("it has terms that were never granted");
  TRY(SqliteStatement rows,
      database_.Prepare("SELECT e.payload_digest, t.text, e.kind, e.analyst FROM entries AS e "
                        "LEFT JOIN terms AS t USING (sequence) "
                        "WHERE e.kind IN ('grant', 'revoke', 'admit') ORDER BY e.sequence"));
  std::optional<FixedTerms> in_force = ParseTerms(meta_.at("terms"));
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return Done{};
    if (rows.IsNull(1) || rows.Text(0) != Sha256Hex(rows.Text(1))) {
      return Damage("a grant's terms do not fit the chain");
    }
    Event event;
    event.kind = ParseEntryKind(rows.Text(2)).value_or(EntryKind::kGrant);
    event.analyst = rows.Text(3);
    std::optional<FixedTerms> next = ParseTerms(rows.Text(1));
    if (!in_force || !next || !TermsFollow(event, *in_force, *next)) {
      return Damage("the terms of a grant or a revocation do not follow those before");
    }
    in_force = std::move(next);
  }
}

Status Journal::VerifyAnswers() {
  TRY(const std::int64_t missing,
      database_.QueryInt("SELECT count(*) FROM entries AS e LEFT JOIN answers AS a "
                         "USING (plan_digest) WHERE e.keeps_answer = 1 AND a.bytes IS NULL"));
  if (missing != 0) return Damage("a stored answer is missing");
  TRY(SqliteStatement rows,
      database_.Prepare(
          "SELECT a.bytes, e.payload_digest FROM answers AS a LEFT JOIN entries AS e "
          "ON e.reservation = a.reservation AND e.reservation > 0 AND e.kind = 'store' "
          "AND e.plan_digest = a.plan_digest AND e.keeps_answer = 1"));
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return Done{};
    if (rows.IsNull(1) || rows.Text(1) != Sha256Hex(rows.Blob(0))) {
      return Damage("a stored answer does not fit the chain");
    }
  }
}

}  // namespace dpsql
