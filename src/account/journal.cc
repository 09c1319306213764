#include "account/journal.h"

#include <unistd.h>

#include "account/entry_rows.h"
#include "account/ledger_errors.h"
#include "account/ledger_files.h"
#include "base/check.h"
#include "base/try.h"

namespace dpsql {

Journal::Journal(JournalOptions options, SqliteHandle database, HeadFile head)
    : options_(std::move(options)),
      database_(std::move(database)),
      head_(std::move(head)),
      owner_(::getpid()) {}

Result<std::unique_ptr<Journal>> Journal::Open(JournalOptions options) {
  TRY_DONE(PrepareLedgerFiles(options.path, options.meta_if_new));
  TRY(HeadFile head, HeadFile::Open(HeadPath(options.path)));
  TRY(SqliteHandle database, SqliteHandle::Open(options.path, SqliteHandle::Mode::kOpen));
  std::unique_ptr<Journal> journal(
      new Journal(std::move(options), std::move(database), std::move(head)));

  TRY(const FileLock lock, journal->head_.Lock());
  TRY(journal->meta_, journal->ReadMeta());
  TRY(const Entry last, journal->ReadTail());
  TRY_DONE(journal->CatchUpHead(last));
  // The creator may have died before it flushed the names of the files.
  if (last.sequence == 0) TRY_DONE(SyncDirectoryOf(journal->options_.path));
  return journal;
}

Error Journal::Damage(std::string_view what) const { return DamageError(what, options_.path); }

void Journal::Reach(std::string_view point) const {
  if (options_.at_point) options_.at_point(point);
}

Status Journal::CheckUsable() {
  Check(::getpid() == owner_, "a ledger is not used across fork");
  if (stopped_) {
    return StorageError("stopped after a failed write to", options_.path, "open it again");
  }
  // A process that went on with a file that was replaced would spend what nobody else sees.
  TRY(const bool moved, database_.HasMoved());
  if (moved || head_.HasMoved()) return Damage("its files were replaced while in use");
  return Done{};
}

Result<LedgerMeta> Journal::ReadMeta() {
  TRY(const std::int64_t application, database_.QueryInt("PRAGMA application_id"));
  if (application != kLedgerApplicationId) return Damage("it is not a ledger");
  TRY(const std::int64_t version, database_.QueryInt("PRAGMA user_version"));
  if (version != kLedgerSchemaVersion) {
    return StorageError("another version of dpsql wrote", options_.path,
                        "schema " + std::to_string(version));
  }
  LedgerMeta meta;
  TRY(SqliteStatement rows, database_.Prepare("SELECT key, value FROM meta"));
  while (true) {
    TRY(const bool row, rows.Step());
    if (!row) break;
    meta[rows.Text(0)] = rows.Text(1);
  }
  TRY(const HeadLine first, head_.Line(0));
  if (first.hash != GenesisEntry(meta).hash) return Damage("its caps are not those it began with");
  return meta;
}

Result<Entry> Journal::ReadTail() {
  TRY(const std::vector<Entry> newest, ReadNewestEntries(database_, options_.path));
  if (newest.empty()) return GenesisEntry(meta_);
  const bool first = newest.size() == 1;
  const Entry& before = first ? GenesisEntry(meta_) : newest[1];
  if ((!first && !HashHolds(before)) || !Follows(before, newest[0])) {
    return Damage("entry " + std::to_string(newest[0].sequence) + " does not fit the chain");
  }
  return newest[0];
}

// Requires: the head's lock.
Status Journal::CatchUpHead(const Entry& last) {
  TRY(const HeadTail head, head_.Tail());
  const std::int64_t ahead = last.sequence - head.last.sequence;
  if (ahead < 0) {
    return Damage("it ends at entry " + std::to_string(last.sequence) + ", its head file at " +
                  std::to_string(head.last.sequence) + "; it is an old copy or lost its log");
  }
  if (ahead > 1) return Damage("its head file is an old copy");
  if (ahead == 1) {
    if (last.previous != head.last.hash) return Damage("its head file is of another chain");
    TRY_DONE(head_.Append({.sequence = last.sequence, .hash = last.hash}, head.torn));
  } else if (last.hash != head.last.hash || !head.torn.empty()) {
    return Damage("its head file does not match its last entry");
  }
  return Done{};
}

Result<Entry> Journal::Append(const Decide& decide) {
  const std::lock_guard guard(mutex_);
  TRY(const FileLock lock, head_.Lock());
  TRY_DONE(CheckUsable());
  Reach("locked");
  TRY(SqliteTransaction transaction, SqliteTransaction::BeginImmediate(database_));
  TRY(const Entry last, ReadTail());
  TRY_DONE(CatchUpHead(last));
  if (flushed_head_ != last.sequence) TRY_DONE(head_.Sync());
  TRY(const Draft draft, decide(last));
  TRY(const Entry entry, WriteDraft(last, draft));
  Reach("inserted");
  stopped_ = true;  // until both files are known to hold the entry
  TRY_DONE(transaction.Commit());
  Reach("committed");
  TRY_DONE(AppendHead(entry));
  stopped_ = false;
  Reach("done");
  return entry;
}

Result<Entry> Journal::WriteDraft(const Entry& last, const Draft& draft) {
  if (draft.event.kind == EntryKind::kStore) TRY_DONE(RequireOpenReservation(draft.event));
  Entry entry = NextEntry(last, draft.event);
  TRY_DONE(InsertEntry(database_, entry));
  if (!draft.kept_bytes) return entry;
  // The first answer to a plan is the one that is handed out again.
  TRY(SqliteStatement keep,
      database_.Prepare("INSERT INTO answers (plan_digest, reservation, bytes) VALUES (?, ?, ?) "
                        "ON CONFLICT (plan_digest) DO NOTHING"));
  keep.Bind(entry.event.plan_digest).Bind(entry.event.reservation).BindBlob(*draft.kept_bytes);
  TRY_DONE(keep.Run());
  return entry;
}

Status Journal::RequireOpenReservation(const Event& store) {
  TRY(SqliteStatement rows,
      database_.Prepare("SELECT kind, plan_digest FROM entries "
                        "WHERE reservation = ? AND reservation > 0 ORDER BY kind"));
  rows.Bind(store.reservation);
  TRY(const bool found, rows.Step());
  Check(found && rows.Text(0) == ToText(EntryKind::kReserve) && rows.Text(1) == store.plan_digest,
        "an answer is stored under a reservation of this ledger");
  TRY(const bool stored, rows.Step());
  Check(!stored, "an answer is stored once per reservation");
  return Done{};
}

Status Journal::AppendHead(const Entry& entry) {
  TRY_DONE(head_.Append({.sequence = entry.sequence, .hash = entry.hash}, ""));
  Reach("appended");
  TRY_DONE(head_.Sync());
  flushed_head_ = entry.sequence;
  return Done{};
}

Result<Entry> Journal::Last() {
  const std::lock_guard guard(mutex_);
  TRY_DONE(CheckUsable());
  // Read before the database: without the lock others go on, but never back.
  TRY(const HeadTail head, head_.Tail());
  TRY(const SqliteTransaction view, SqliteTransaction::BeginRead(database_));
  TRY(Entry last, ReadTail());
  if (last.sequence < head.last.sequence) return Damage("it is an old copy or lost its log");
  return last;
}

Result<std::optional<std::string>> Journal::FindAnswer(std::string_view plan_digest) {
  const std::lock_guard guard(mutex_);
  TRY_DONE(CheckUsable());
  TRY(const SqliteTransaction view, SqliteTransaction::BeginRead(database_));
  TRY(SqliteStatement rows,
      database_.Prepare("SELECT reservation, bytes FROM answers WHERE plan_digest = ?"));
  rows.Bind(plan_digest);
  TRY(const bool found, rows.Step());
  if (!found) return std::optional<std::string>();
  std::string bytes = rows.Blob(1);
  TRY(const std::optional<Entry> store, ReadStore(database_, rows.Int(0), options_.path));
  if (!store || !HashHolds(*store) || store->event.plan_digest != plan_digest ||
      store->event.payload_digest != Sha256Hex(bytes)) {
    return Damage("a stored answer does not fit the chain");
  }
  return std::optional<std::string>(std::move(bytes));
}

}  // namespace dpsql
