#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "account/file_lock.h"
#include "dpsql/result.h"

namespace dpsql {

struct HeadLine {
  std::int64_t sequence = 0;
  std::string hash;
};

// The end of the head file: its last whole line, and what a crash left of the one after it.
struct HeadTail {
  HeadLine last;
  std::string torn;
};

// The append-only file beside the ledger with one line `sequence hash` for each entry. It is the
// witness against an old copy of the ledger. Lines have a fixed width, so that the n-th is found
// without reading the others, and a torn line is completed rather than cut off: the file is never
// truncated or rewritten.
class HeadFile {
 public:
  // Writes a new head file of one line, durably except for its directory entry.
  static Status Create(const std::string& path, const HeadLine& genesis);
  static Result<HeadFile> Open(std::string path);

  // The lock that every writer of the ledger holds, from before its transaction until its line is
  // durable.
  Result<FileLock> Lock() const { return FileLock::Acquire(fd_, path_); }

  Result<HeadLine> Line(std::int64_t sequence) const;
  Result<HeadTail> Tail() const;

  // Appends what is missing of the line. Requires: the lock; `torn` is what Tail() says.
  // Ensures: after Sync() the whole line is durable.
  Status Append(const HeadLine& line, std::string_view torn);
  Status Sync();

  // Whether the path names another file than the one that is open, or none.
  bool HasMoved() const;

  const std::string& path() const { return path_; }

 private:
  HeadFile(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  FileDescriptor fd_;
  std::string path_;
};

// The fixed-width text of a line, with its newline.
std::string ToText(const HeadLine& line);

}  // namespace dpsql
