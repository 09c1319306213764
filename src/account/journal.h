#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "account/budget_terms.h"
#include "account/chain.h"
#include "account/group_commit.h"
#include "account/head_file.h"
#include "account/journal_view.h"
#include "account/sqlite_handle.h"
#include "dpsql/result.h"

namespace dpsql {

struct JournalOptions {
  std::string path;
  LedgerMeta meta_if_new;
  // Called at each named point of a write. Tests stop the process there; the product leaves it
  // empty.
  std::function<void(std::string_view point)> at_point;
};

// What is to be written: an event and what belongs to it.
struct Draft {
  Event event;
  std::optional<std::string>
      kept_bytes;                    // of a store: the answer, where it may be handed out again
  std::optional<std::string> terms;  // where the event sets them
};

// The durable chain of entries: an SQLite database and the head file. All that wait at one moment
// are written as one commit, in this order, all under the head file's lock:
//
//   lock head · begin · check tail against head · insert a … n · COMMIT (flushed) · append lines
//   a … n · flush head · unlock
//
// The crash argument. Call a … d the entries of the last commit in the database (each names `a`),
// `h` the last whole line of the head. Between two writers d = h, both durable.
//   - A crash before the commit leaves d = h: the transaction is gone, nothing was handed out.
//   - A crash after the commit and before the lines are durable leaves the head with all lines
//     before `a`, and any part of the lines a … d. Append has not returned for any of them, so
//     nothing was handed out; the charges stay. The next to take the lock verifies that the entries
//     a … d follow line a-1 and completes their lines before it does anything else. Hence the
//     database never gets further ahead than one commit.
//   - The kernel frees the lock of a dead process; lines that this process did not flush itself are
//     flushed before the next commit, so the same holds for power failures.
//   - A process that dies between writing its log and flushing it leaves entries that only the page
//     cache holds. Whoever opens the ledger flushes the log before it believes anything in it.
//     Those who have it open see an entry only after its writer flushed it.
//   - The head is never ahead of the database in any of these states. Where it is, the database is
//     an old copy or lost its log: damage (L601). So is any other disagreement.
// Hence for every entry that was acknowledged: database and head both hold it after any crash, and
// what is spent is at least what was released.
// After a failed commit or flush the outcome is unknown: this object stops (L602) and the next
// Open finds out which of the states above it is.
class Journal {
 public:
  // Nothing: there is nothing to write.
  using Decide = std::function<Result<std::optional<Draft>>(JournalView& view)>;

  static Result<std::unique_ptr<Journal>> Open(JournalOptions options);

  // Creates nothing: L604 where there is no ledger. The path may be a link.
  static Result<std::unique_ptr<Journal>> OpenExisting(
      const std::string& path, std::function<void(std::string_view point)> at_point = nullptr);

  // The journal of this path that the process has open already, or a new one: those who share it
  // share its commits. Requires: `at_point` is empty; the path is no link.
  static Result<std::shared_ptr<Journal>> Shared(JournalOptions options);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const LedgerMeta& meta() const { return meta_; }
  const Calendar& calendar() const { return calendar_; }
  const std::string& path() const { return options_.path; }

  // Appends what `decide` makes of the ledger as it stands; while it decides, nobody else writes.
  // It may run in another thread, and a refusal writes nothing. Answers the entry, or the last one
  // where there was nothing to write.
  // Requires: a store, abort or cancel ends a reservation that is open, with the same plan (else
  // Bug). Ensures: on success the entry, what belongs to it and its head line are on disk.
  Result<Entry> Append(const Decide& decide);

  // Reads from one consistent view, checked at its end against the head.
  Status Read(const std::function<Status(JournalView& view)>& read);

  // The terms in force, with the number of the row that set them (0: the creation).
  struct Terms {
    std::int64_t sequence = 0;
    FixedTerms fixed;
  };
  Result<Terms> ReadTerms();
  Result<FixedTerms> TermsIn(JournalView& view) const;

  // Reads everything: SQLite's own structure, every link, total, head line, stored answer, change
  // of the terms and open reservation. Answers the last entry.
  Result<Entry> Verify();

  Result<std::int64_t> Version();

  // Makes it a ledger of the present version. Ensures: on success that is on disk; a crash leaves
  // the old version or the new one, and no entry is touched.
  Status Upgrade();

  // Writes the ledger as it stands now, and a head file for it, under names that are not taken
  // (else L602), both flushed except for their directory entries. Others read and write meanwhile.
  // A crash leaves files that are no ledger, or part of one.
  Status CopyTo(const std::string& path);

 private:
  // What one caller of Append waits for.
  struct Request {
    const Decide* decide = nullptr;
    std::optional<Result<Entry>> outcome;
    std::exception_ptr bug;
  };

  Journal(JournalOptions options, SqliteHandle database, HeadFile head);

  Status CheckUsable();
  bool IsUsable() const;
  void CheckOwner() const;
  Status MakeLogDurable();
  Status ReadMeta();
  Result<Entry> ReadTail();
  Status CheckAnalysts(const Entry& last);
  Result<std::vector<HeadLine>> LinesOfLastCommit(const Entry& last);
  Status CatchUpHead(const Entry& last);
  void WriteBatch(std::span<Request* const> batch);
  Status TryBatch(std::span<Request* const> batch);
  Status WriteRequest(JournalView& view, Request& request, std::vector<HeadLine>& lines);
  Result<Entry> WriteDraft(JournalView& view, const Draft& draft, std::int64_t commit_first);
  Status WriteBelongings(const Entry& entry, const Draft& draft);
  Status UpdateOpenReservations(const Event& event);
  Status RaiseVersion();
  Status RequireOpenReservation(JournalView& view, const Event& ending);
  Status AppendHead(std::span<const HeadLine> lines);
  bool HeadHasGrown(const Entry& last) const;
  Result<Entry> VerifyEntries(std::int64_t head_last);
  Status VerifyHeadLine(const Entry& entry, std::int64_t head_last);
  Status VerifyAnswers();
  Status VerifyStores();
  Status VerifyTerms();
  Status VerifyVersion();
  Status CopyHead(const std::string& path, std::int64_t head_last);
  Status VerifyOpenReservations(const std::map<std::int64_t, std::string>& open);
  Error Damage(std::string_view what) const;
  void Reach(std::string_view point) const;

  JournalOptions options_;
  SqliteHandle database_;
  HeadFile head_;
  EntryRows rows_;
  FileIdentity identity_;  // of the database
  LedgerMeta meta_;
  Calendar calendar_;
  std::mutex mutex_;  // one connection within the process
  GroupCommit<Request> group_;
  pid_t owner_;                     // SQLite's locks do not survive fork
  std::int64_t flushed_head_ = -1;  // the last line that this object has flushed
  std::atomic<bool> stopped_ = false;
};

}  // namespace dpsql
