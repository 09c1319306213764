#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "dpsql/result.h"

namespace dpsql {

// An open file that closes itself. Holds -1 when there is none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Which file a path names just now; all zeros for none.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  static FileIdentity Of(const std::string& path);
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// How long a call waits for another process before it gives up with L602.
inline constexpr std::chrono::milliseconds kLockTimeout{10'000};

// An exclusive flock, released at the end of the scope. The kernel releases it when its holder
// dies, so a killed process never blocks the others.
class FileLock {
 public:
  // Requires: `fd` stays open as long as the lock. `path` is for the message only.
  static Result<FileLock> Acquire(const FileDescriptor& fd, const std::string& path);

  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;  // while it is one, this lock is counted for CallUnlocked (dpsql/ledger.h)
};

}  // namespace dpsql
