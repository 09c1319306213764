// The full check of a ledger: everything that Journal::ReadTail takes on trust from the chain.
#include "account/entry_rows.h"
#include "account/journal.h"
#include "base/try.h"

namespace dpsql {

Status Journal::Verify() {
  const std::lock_guard guard(mutex_);
  TRY_DONE(CheckUsable());
  TRY(const FileLock lock, head_.Lock());
  TRY(const SqliteTransaction view, SqliteTransaction::BeginRead(database_));
  TRY(const std::string structure, database_.QueryText("PRAGMA integrity_check(1)"));
  if (structure != "ok") return Damage("SQLite finds its structure broken");
  TRY(const LedgerMeta meta, ReadMeta());
  if (meta != meta_) return Damage("its caps are not those it was opened with");
  TRY(const Entry last, VerifyEntries());
  TRY_DONE(CatchUpHead(last));
  TRY_DONE(VerifyStores());
  return VerifyAnswers();
}

Result<Entry> Journal::VerifyEntries() {
  Entry last = GenesisEntry(meta_);
  TRY(const HeadTail head, head_.Tail());
  TRY_DONE(ForEachEntry(database_, options_.path, [&](const Entry& entry) -> Status {
    const std::string name = "entry " + std::to_string(last.sequence + 1);
    if (!Follows(last, entry)) return Damage(name + " does not fit the chain");
    last = entry;
    if (entry.sequence > head.last.sequence) return Done{};  // CatchUpHead judges how many
    TRY(const HeadLine line, head_.Line(entry.sequence));
    if (line.hash != entry.hash) return Damage(name + " does not match the head file");
    return Done{};
  }));
  return last;
}

Status Journal::VerifyStores() {
  TRY(const std::int64_t unpaid,
      database_.QueryInt(
          "SELECT count(*) FROM entries AS s LEFT JOIN entries AS r "
          "ON r.reservation = s.reservation AND r.reservation > 0 AND r.kind = 'reserve' "
          "WHERE s.kind = 'store' AND (r.sequence IS NULL "
          "OR r.sequence > s.sequence OR r.plan_digest <> s.plan_digest)"));
  if (unpaid != 0) return Damage("an answer was stored without a reservation");
  return Done{};
}

Status Journal::VerifyAnswers() {
  TRY(SqliteStatement rows,
      database_.Prepare(
          "SELECT a.bytes, e.payload_digest FROM answers AS a LEFT JOIN entries AS e "
          "ON e.reservation = a.reservation AND e.reservation > 0 AND e.kind = 'store' "
          "AND e.plan_digest = a.plan_digest"));
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return Done{};
    if (rows.IsNull(1) || rows.Text(1) != Sha256Hex(rows.Blob(0))) {
      return Damage("a stored answer does not fit the chain");
    }
  }
}

}  // namespace dpsql
