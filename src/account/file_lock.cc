#include "account/file_lock.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "account/ledger_errors.h"

namespace dpsql {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (valid()) ::close(fd_);
}

FileIdentity FileIdentity::Of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {.device = status.st_dev, .inode = status.st_ino};
}

Result<FileLock> FileLock::Acquire(const FileDescriptor& fd, const std::string& path) {
  constexpr std::chrono::microseconds kPause{300};
  const auto deadline = std::chrono::steady_clock::now() + kLockTimeout;
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return StorageError("cannot lock", path, errno);
    if (std::chrono::steady_clock::now() > deadline) {
      return StorageError("another process holds the lock of", path, ETIMEDOUT);
    }
    std::this_thread::sleep_for(kPause);
  }
  return FileLock(fd.get());
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::flock(fd_, LOCK_UN);
}

}  // namespace dpsql
