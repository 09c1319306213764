#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "account/file_lock.h"
#include "dpsql/result.h"

namespace dpsql {

struct HeadLine {
  std::int64_t sequence = 0;
  std::string hash;
};

// The append-only file beside the ledger with one line `sequence hash` for each entry. It is the
// witness against an old copy of the ledger. Lines have a fixed width, so that the n-th is found
// without reading the others. Nothing that was flushed is ever changed: what a crash left of the
// lines of the last commit is completed, not cut off.
class HeadFile {
 public:
  // Writes a new head file of one line, durably except for its directory entry.
  static Status Create(const std::string& path, const HeadLine& genesis);
  static Result<HeadFile> Open(std::string path);
  // Of a copy that was kept elsewhere: to be compared with, nothing more.
  static Result<HeadFile> OpenToRead(std::string path);

  // The lock that every writer of the ledger holds, from before its transaction until its line is
  // durable.
  Result<FileLock> Lock() const { return FileLock::Acquire(fd_, path_); }

  // The line of an entry; L601 where there is none, or a wrong one.
  Result<HeadLine> Line(std::int64_t sequence) const;

  // The number of the last whole line.
  Result<std::int64_t> LastSequence() const;

  // Whether the file ends with the line of this entry, to the byte.
  Result<bool> EndsAt(std::int64_t sequence) const;

  // Appends whole lines. Requires: the lock. Ensures: after Sync() they are durable.
  Status Append(std::span<const HeadLine> lines);
  Status Sync();

  // Makes the file end with these lines. Of them a crash may have left any part: a torn end, and
  // after a power failure holes that read as zeros. Anything else in their place, a line too many,
  // or a line missing before them is damage (L601): the file or the ledger is an old copy.
  // Requires: the lock; the lines are of consecutive entries. Ensures: after Sync() all is durable.
  Status Complete(std::span<const HeadLine> lines);

  // Whether the path names another file than the one that is open, or none.
  bool HasMoved() const;

  const std::string& path() const { return path_; }

 private:
  Result<std::size_t> Size() const;
  Status Fill(std::size_t offset, std::string_view bytes);

  HeadFile(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  FileDescriptor fd_;
  std::string path_;
};

// The fixed-width text of a line, with its newline.
std::string ToText(const HeadLine& line);

}  // namespace dpsql
