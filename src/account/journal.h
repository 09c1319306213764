#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "account/chain.h"
#include "account/head_file.h"
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

// What is to be written: an event and, when the answer may be handed out again, its bytes.
struct Draft {
  Event event;
  std::optional<std::string> kept_bytes;
};

// The durable chain of entries: an SQLite database and the head file, written in this order, all
// under the head file's lock:
//
//   lock head · begin · check tail against head · insert n · COMMIT (flushed) · append line n ·
//   flush head · unlock
//
// The crash argument. Call `d` the last entry in the database, `h` the last whole line of the head.
// Between two writers d = h, both durable.
//   - A crash before the commit leaves d = h: the transaction is gone, nothing was handed out.
//   - A crash after the commit and before the line is durable leaves d = h + 1, perhaps with a torn
//     line d. Append has not returned, so nothing was handed out for d; the charge stays. The next
//     to take the lock verifies that d follows h and writes (or completes) line d before it does
//     anything else. Hence d never gets further ahead than one.
//   - The kernel frees the lock of a dead process; a line that this process did not flush itself is
//     flushed before the next commit, so the same holds for power failures.
//   - The head is never ahead of the database in any of these states. Where it is, the database is
//     an old copy or lost its log: damage (L601). So is any other disagreement.
// Hence for every entry that was acknowledged: database and head both hold it after any crash, and
// what is spent is at least what was released.
// After a failed commit or flush the outcome is unknown: this object stops (L602) and the next
// Open finds out which of the states above it is.
class Journal {
 public:
  using Decide = std::function<Result<Draft>(const Entry& last)>;

  static Result<std::unique_ptr<Journal>> Open(JournalOptions options);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const LedgerMeta& meta() const { return meta_; }

  // Appends what `decide` makes of the last entry; while it decides, nobody else writes.
  // Requires: a store follows the reserve of its reservation, once, with the same plan (else Bug).
  // Ensures: on success the entry, its bytes and its head line are on disk.
  Result<Entry> Append(const Decide& decide);

  // The last entry, checked against the one before it and against the head.
  Result<Entry> Last();

  // The bytes kept for a plan, checked against the digest in their chained entry.
  Result<std::optional<std::string>> FindAnswer(std::string_view plan_digest);

  // Reads everything: SQLite's own structure, every link, total, head line and stored answer.
  Status Verify();

 private:
  Journal(JournalOptions options, SqliteHandle database, HeadFile head);

  Status CheckUsable();
  Result<LedgerMeta> ReadMeta();
  Result<Entry> ReadTail();
  Status CatchUpHead(const Entry& last);
  Result<Entry> WriteDraft(const Entry& last, const Draft& draft);
  Status RequireOpenReservation(const Event& store);
  Status AppendHead(const Entry& entry);
  Result<Entry> VerifyEntries();
  Status VerifyAnswers();
  Status VerifyStores();
  Error Damage(std::string_view what) const;
  void Reach(std::string_view point) const;

  JournalOptions options_;
  SqliteHandle database_;
  HeadFile head_;
  LedgerMeta meta_;
  std::mutex mutex_;                // one connection, one writer at a time within the process
  pid_t owner_;                     // SQLite's locks do not survive fork
  std::int64_t flushed_head_ = -1;  // the last line that this object has flushed
  bool stopped_ = false;
};

}  // namespace dpsql
