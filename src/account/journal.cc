#include "account/journal.h"

#include <unistd.h>

#include <charconv>
#include <utility>

#include "account/ledger_errors.h"
#include "account/ledger_files.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;

std::string Find(const LedgerMeta& meta, const char* key) {
  const auto found = meta.find(key);
  return found == meta.end() ? "" : found->second;
}

// SQLite ends the whole transaction at such an error, whoever met it.
bool IsOfTheLedger(const Error& error) { return error.code.starts_with('L'); }

std::optional<std::int64_t> ParseSeconds(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

Journal::Journal(JournalOptions options, SqliteHandle database, HeadFile head)
    : options_(std::move(options)),
      database_(std::move(database)),
      head_(std::move(head)),
      rows_(database_, options_.path),
      identity_(FileIdentity::Of(options_.path)),
      owner_(::getpid()) {}

Result<std::unique_ptr<Journal>> Journal::Open(JournalOptions options) {
  TRY_DONE(PrepareLedgerFiles(options.path, options.meta_if_new));
  TRY(HeadFile head, HeadFile::Open(HeadPath(options.path)));
  TRY(SqliteHandle database, SqliteHandle::Open(options.path, SqliteHandle::Mode::kOpen));
  std::unique_ptr<Journal> journal(
      new Journal(std::move(options), std::move(database), std::move(head)));

  TRY(const FileLock lock, journal->head_.Lock());
  TRY_DONE(journal->MakeLogDurable());
  TRY_DONE(journal->ReadMeta());
  TRY(const Entry last, journal->ReadTail());
  TRY_DONE(journal->CheckAnalysts(last));
  TRY_DONE(journal->CatchUpHead(last));
  // The creator may have died before it flushed the names of the files.
  if (last.sequence == 0) TRY_DONE(SyncDirectoryOf(journal->options_.path));
  return journal;
}

Result<std::unique_ptr<Journal>> Journal::OpenExisting(
    const std::string& path, std::function<void(std::string_view point)> at_point) {
  TRY(const bool exists, LedgerExists(path));
  if (!exists) {
    return MakeError(ErrorCode::kNoLedger, "there is no ledger yet: " + path, {},
                     "it begins with the first question");
  }
  return Open({.path = FollowLink(path), .meta_if_new = {}, .at_point = std::move(at_point)});
}

Result<std::shared_ptr<Journal>> Journal::Shared(JournalOptions options) {
  Check(!options.at_point, "a journal with named points is not shared");
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<Journal>> journals;
  const std::string path = options.path;
  std::shared_ptr<Journal> known;
  {
    const std::lock_guard guard(mutex);
    known = journals[path].lock();
  }
  if (known && known->owner_ != ::getpid()) {
    // SQLite would take no locks for a file that its parent has open.
    return StorageError("a parent process had open", path, "fork before opening it, or exec");
  }
  if (known && known->IsUsable()) return known;
  TRY(std::unique_ptr<Journal> opened, Open(std::move(options)));
  std::shared_ptr<Journal> journal = std::move(opened);
  const std::lock_guard guard(mutex);
  journals[path] = journal;
  return journal;
}

// Asks the disk and not SQLite, so that nobody waits for a writer.
bool Journal::IsUsable() const {
  return !stopped_ && !head_.HasMoved() && FileIdentity::Of(options_.path) == identity_;
}

void Journal::CheckOwner() const {
  Check(::getpid() == owner_, "a ledger is not used across fork");
}

Error Journal::Damage(std::string_view what) const { return DamageError(what, options_.path); }

void Journal::Reach(std::string_view point) const {
  if (options_.at_point) options_.at_point(point);
}

Status Journal::CheckUsable() {
  CheckOwner();
  if (stopped_) {
    return StorageError("stopped after a failed write to", options_.path, "open it again");
  }
  // A process that went on with a file that was replaced would spend what nobody else sees.
  TRY(const bool moved, database_.HasMoved());
  if (moved || head_.HasMoved()) return Damage("its files were replaced while in use");
  return Done{};
}

// The log is flushed, and folded into the database as far as no reader is in the way: a flush that
// failed before may have left pages that look written.
Status Journal::MakeLogDurable() {
  TRY(const std::int64_t busy, database_.QueryInt("PRAGMA wal_checkpoint(PASSIVE)"));
  static_cast<void>(busy);  // a reader, or another who folds
  return FlushLogOf(options_.path);
}

Status Journal::ReadMeta() {
  TRY(const std::int64_t application, database_.QueryInt("PRAGMA application_id"));
  if (application != kLedgerApplicationId) return Damage("it is not a ledger");
  TRY(const std::int64_t version, database_.QueryInt("PRAGMA user_version"));
  if (version < kLedgerOldestVersion || version > kLedgerSchemaVersion) {
    return StorageError("another version of dpsql wrote", options_.path,
                        "schema " + std::to_string(version));
  }
  TRY_DONE(CheckLedgerSchema(database_, options_.path));
  LedgerMeta meta;
  TRY(SqliteStatement rows, database_.Prepare("SELECT key, value FROM meta"));
  while (true) {
    TRY(const bool row, rows.Step());
    if (!row) break;
    meta[rows.Text(0)] = rows.Text(1);
  }
  TRY(const HeadLine first, head_.Line(0));
  if (first.hash != GenesisEntry(meta, 0).hash) {
    return Damage("its terms are not those it began with");
  }
  const auto created = ParseSeconds(Find(meta, "created"));
  const auto fixed = ParseTerms(Find(meta, "terms"));
  const bool in_time = created && *created >= 0 && *created <= kMostCount;
  if (!in_time || !fixed) return Damage("its terms are unreadable");
  meta_ = std::move(meta);
  calendar_ = {.created = *created, .renew_seconds = fixed->terms.renew_days * kSecondsPerDay};
  return Done{};
}

Result<Entry> Journal::ReadTail() {
  TRY(const std::vector<Entry> newest, rows_.Newest(2));
  const Entry genesis = GenesisEntry(meta_, calendar_.created);
  if (newest.empty()) return genesis;
  const bool first = newest.size() == 1;
  const Entry& before = first ? genesis : newest[1];
  const Entry& last = newest[0];
  TRY(std::optional<Entry> analyst_last, rows_.LastOf(last.event.analyst, last.sequence));
  const bool links_hold =
      (first || HashHolds(before)) && (!analyst_last || HashHolds(*analyst_last));
  const Standing standing{.last = before, .analyst_last = std::move(analyst_last)};
  if (!links_hold || !Follows(standing, calendar_, last)) {
    return Damage("entry " + std::to_string(last.sequence) + " does not fit the chain");
  }
  return last;
}

// What an analyst has spent stands in his last entry alone. Where damage hid it, an older one, as
// genuine, would be taken for it.
Status Journal::CheckAnalysts(const Entry& last) {
  TRY(const std::vector<Entry> each, rows_.LastOfEach(last.sequence));
  for (const Entry& entry : each) {
    if (HashHolds(entry)) continue;
    return Damage("entry " + std::to_string(entry.sequence) + " does not fit the chain");
  }
  return Done{};
}

Result<std::vector<HeadLine>> Journal::LinesOfLastCommit(const Entry& last) {
  std::vector<HeadLine> lines;
  if (last.sequence == 0) lines.push_back({.sequence = 0, .hash = last.hash});
  std::string previous;
  TRY_DONE(rows_.ForEach(last.commit_first, [&](const Entry& entry) -> Status {
    const bool linked = lines.empty() || entry.previous == lines.back().hash;
    if (!HashHolds(entry) || !linked || entry.commit_first != last.commit_first) {
      return Damage("entry " + std::to_string(entry.sequence) + " does not fit the chain");
    }
    if (lines.empty()) previous = entry.previous;
    lines.push_back({.sequence = entry.sequence, .hash = entry.hash});
    return Done{};
  }));
  if (lines.empty() || lines.back().sequence != last.sequence) {
    return Damage("its last commit is incomplete");
  }
  if (last.sequence == 0) return lines;
  TRY(const std::int64_t head_last, head_.LastSequence());
  if (head_last < last.commit_first - 1) return Damage("its head file is an old copy");
  TRY(const HeadLine before, head_.Line(last.commit_first - 1));
  if (before.hash != previous) return Damage("its head file is of another chain");
  return lines;
}

// Requires: the head's lock.
Status Journal::CatchUpHead(const Entry& last) {
  TRY(const bool ends_there, head_.EndsAt(last.sequence));
  if (flushed_head_ == last.sequence && ends_there) {
    TRY(const HeadLine line, head_.Line(last.sequence));
    if (line.hash == last.hash) return Done{};
  }
  TRY(const std::vector<HeadLine> lines, LinesOfLastCommit(last));
  TRY_DONE(head_.Complete(lines));
  return Done{};
}

Result<Entry> Journal::Append(const Decide& decide) {
  CheckOwner();
  Request request{.decide = &decide, .outcome = std::nullopt, .bug = nullptr};
  group_.Run(request, [this](std::span<Request* const> batch) noexcept { WriteBatch(batch); });
  if (request.bug) std::rethrow_exception(request.bug);
  Check(request.outcome.has_value(), "whoever waited has an outcome");
  return *std::move(request.outcome);
}

// A failure of the disk is everybody's; a refusal or a bug is of the one it belongs to.
void Journal::WriteBatch(std::span<Request* const> batch) {
  Status status = Done{};
  std::exception_ptr bug;
  try {
    status = TryBatch(batch);
  } catch (...) {
    bug = std::current_exception();
  }
  if (status.ok() && !bug) return;
  for (Request* request : batch) {
    const bool refused = request->outcome && !request->outcome->ok();
    if (request->bug || refused) continue;
    if (bug) {
      request->bug = bug;
    } else {
      request->outcome = status.error();
    }
  }
}

Status Journal::TryBatch(std::span<Request* const> batch) {
  CheckOwner();
  const std::lock_guard guard(mutex_);
  TRY(const FileLock lock, head_.Lock());
  TRY_DONE(CheckUsable());
  Reach("locked");
  TRY(SqliteTransaction transaction, SqliteTransaction::BeginImmediate(database_));
  TRY(Entry last, ReadTail());
  TRY_DONE(CatchUpHead(last));
  if (flushed_head_ != last.sequence) TRY_DONE(head_.Sync());
  flushed_head_ = last.sequence;
  const std::int64_t head_last = last.sequence;
  JournalView view(database_, options_.path, head_, head_last, std::move(last));
  std::vector<HeadLine> lines;
  for (Request* request : batch) TRY_DONE(WriteRequest(view, *request, lines));
  if (lines.empty()) return Done{};  // all were refused
  Reach("inserted");
  stopped_ = true;  // until both files are known to hold the entries
  TRY_DONE(transaction.Commit());
  Reach("committed");
  TRY_DONE(AppendHead(lines));
  stopped_ = false;
  Reach("done");
  return Done{};
}

Status Journal::WriteRequest(JournalView& view, Request& request, std::vector<HeadLine>& lines) {
  std::optional<Draft> draft;
  try {
    Result<std::optional<Draft>> decided = (*request.decide)(view);
    if (!decided.ok() && IsOfTheLedger(decided.error())) return decided.error();
    if (!decided.ok()) {
      request.outcome = decided.error();
      return Done{};
    }
    draft = std::move(decided).value();
    if (!draft) {
      request.outcome = view.last();
      return Done{};
    }
    if (EndsReservation(draft->event.kind)) TRY_DONE(RequireOpenReservation(view, draft->event));
  } catch (...) {
    request.bug = std::current_exception();  // before anything of it was written
    return Done{};
  }
  const std::int64_t commit_first =
      lines.empty() ? view.last().sequence + 1 : lines.front().sequence;
  TRY(Entry entry, WriteDraft(view, *draft, commit_first));
  lines.push_back({.sequence = entry.sequence, .hash = entry.hash});
  view.Advance(entry);
  request.outcome = std::move(entry);
  return Done{};
}

Result<Entry> Journal::WriteDraft(JournalView& view, const Draft& draft,
                                  std::int64_t commit_first) {
  TRY(const Standing standing, view.StandingOf(draft.event.analyst));
  Entry entry = NextEntry(standing, calendar_, draft.event, commit_first);
  TRY_DONE(rows_.Insert(entry));
  TRY_DONE(WriteBelongings(entry, draft));
  return entry;
}

Status Journal::WriteBelongings(const Entry& entry, const Draft& draft) {
  const Event& event = entry.event;
  TRY_DONE(UpdateOpenReservations(event));
  if (draft.kept_bytes) {
    TRY(SqliteStatement keep,
        database_.Prepare("INSERT INTO answers (plan_digest, reservation, bytes) "
                          "VALUES (?, ?, ?)"));
    keep.Bind(event.plan_digest).Bind(event.reservation).BindBlob(*draft.kept_bytes);
    TRY_DONE(keep.Run());
  }
  if (draft.terms) {
    TRY(SqliteStatement grant,
        database_.Prepare("INSERT INTO terms (sequence, text) VALUES (?, ?)"));
    TRY_DONE(grant.Bind(entry.sequence).Bind(*draft.terms).Run());
  }
  const bool since_version_3 = event.kind == EntryKind::kRevoke || event.kind == EntryKind::kAdmit;
  return since_version_3 ? RaiseVersion() : Done{};
}

// Requires: a transaction that writes.
Status Journal::RaiseVersion() {
  TRY(const std::int64_t version, database_.QueryInt("PRAGMA user_version"));
  if (version >= kLedgerSchemaVersion) return Done{};
  const std::string raise = "PRAGMA user_version = " + std::to_string(kLedgerSchemaVersion);
  return database_.Execute(raise.c_str());
}

Result<std::int64_t> Journal::Version() {
  const std::lock_guard guard(mutex_);
  TRY_DONE(CheckUsable());
  return database_.QueryInt("PRAGMA user_version");
}

Status Journal::Upgrade() {
  CheckOwner();
  const std::lock_guard guard(mutex_);
  TRY(const FileLock lock, head_.Lock());
  TRY_DONE(CheckUsable());
  TRY(SqliteTransaction transaction, SqliteTransaction::BeginImmediate(database_));
  TRY_DONE(RaiseVersion());
  return transaction.Commit();
}

Status Journal::UpdateOpenReservations(const Event& event) {
  if (event.kind == EntryKind::kReserve) {
    TRY(SqliteStatement open,
        database_.Prepare("INSERT INTO open_reservations (reservation, analyst) VALUES (?, ?)"));
    return open.Bind(event.reservation).Bind(event.analyst).Run();
  }
  if (EndsReservation(event.kind)) {
    TRY(SqliteStatement close,
        database_.Prepare("DELETE FROM open_reservations WHERE reservation = ?"));
    return close.Bind(event.reservation).Run();
  }
  return Done{};
}

Status Journal::RequireOpenReservation(JournalView& view, const Event& ending) {
  TRY(const std::optional<Entry> reserve,
      view.rows().OfReservation(EntryKind::kReserve, ending.reservation));
  Check(reserve && reserve->event.plan_digest == ending.plan_digest &&
            reserve->event.analyst == ending.analyst,
        "what is ended is a reservation of this ledger");
  for (const EntryKind kind : {EntryKind::kStore, EntryKind::kAbort, EntryKind::kCancel}) {
    TRY(const std::optional<Entry> ended, view.rows().OfReservation(kind, ending.reservation));
    if (ended && ended->sequence < reserve->sequence) {
      return Damage("a reservation ended before it was made");
    }
    Check(!ended, "a reservation ends once");
  }
  return Done{};
}

Status Journal::AppendHead(std::span<const HeadLine> lines) {
  TRY_DONE(head_.Append(lines));
  Reach("appended");
  TRY_DONE(head_.Sync());
  flushed_head_ = lines.back().sequence;
  return Done{};
}

Status Journal::Read(const std::function<Status(JournalView& view)>& read) {
  const std::lock_guard guard(mutex_);
  TRY_DONE(CheckUsable());
  // Read before the database: without the lock others go on, but never back.
  TRY(const std::int64_t head_last, head_.LastSequence());
  TRY(const SqliteTransaction transaction, SqliteTransaction::BeginRead(database_));
  TRY(Entry last, ReadTail());
  if (last.sequence < head_last) return Damage("it is an old copy or lost its log");
  JournalView view(database_, options_.path, head_, head_last, std::move(last));
  return read(view);
}

Result<Journal::Terms> Journal::ReadTerms() {
  Terms terms;
  TRY_DONE(Read([&](JournalView& view) -> Status {
    terms.sequence = view.last().terms;
    TRY(terms.fixed, TermsIn(view));
    return Done{};
  }));
  return terms;
}

Result<FixedTerms> Journal::TermsIn(JournalView& view) const {
  if (view.last().terms != 0) return view.TermsInForce();
  std::optional<FixedTerms> fixed = ParseTerms(Find(meta_, "terms"));
  if (!fixed) return Damage("its terms are unreadable");
  return *std::move(fixed);
}

}  // namespace dpsql
