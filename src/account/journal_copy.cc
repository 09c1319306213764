// A copy of a ledger that others use meanwhile.
#include <fcntl.h>

#include <cerrno>

#include "account/journal.h"
#include "account/ledger_errors.h"
#include "account/ledger_files.h"
#include "base/try.h"

namespace dpsql {

Status Journal::CopyTo(const std::string& path) {
  const std::lock_guard guard(mutex_);
  TRY_DONE(CheckUsable());
  // Read before the database: without the lock others go on, but never back.
  TRY(const std::int64_t head_last, head_.LastSequence());
  TRY(const SqliteTransaction view, SqliteTransaction::BeginRead(database_));
  TRY(const Entry last, ReadTail());
  if (last.sequence < head_last) return Damage("it is an old copy or lost its log");
  {
    // Empty, and its owner's alone before anything is in it.
    const FileDescriptor empty(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!empty.valid()) return StorageError("cannot create", path, errno);
  }
  TRY_DONE(database_.CopyTo(path));
  return CopyHead(HeadPath(path), head_last);
}

// From the entries of the view, as our own head file may be a commit behind them or ahead; as far
// as both go they must agree.
Status Journal::CopyHead(const std::string& path, std::int64_t head_last) {
  constexpr std::size_t kLinesAtOnce = 1000;
  TRY_DONE(HeadFile::Create(path, {.sequence = 0, .hash = GenesisEntry(meta_, 0).hash}));
  TRY(HeadFile copy, HeadFile::Open(path));
  std::vector<HeadLine> lines;
  const auto add = [&](const Entry& entry) -> Status {
    TRY_DONE(VerifyHeadLine(entry, head_last));
    lines.push_back({.sequence = entry.sequence, .hash = entry.hash});
    if (lines.size() < kLinesAtOnce) return Done{};
    TRY_DONE(copy.Append(lines));
    lines.clear();
    return Done{};
  };
  TRY_DONE(rows_.ForEach(1, add));
  TRY_DONE(copy.Append(lines));
  return copy.Sync();
}

}  // namespace dpsql
