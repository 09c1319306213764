#include "account/file_lock.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "account/ledger_errors.h"
#include "dpsql/ledger.h"

namespace dpsql {
namespace {

// How many locks the threads of this process hold.
class LockCount {
 public:
  static LockCount& Mine() {
    static LockCount count;
    return count;
  }

  void Add() {
    const std::lock_guard guard(mutex_);
    ++held_;
  }

  void Remove() {
    const std::lock_guard guard(mutex_);
    if (--held_ == 0) none_.notify_all();
  }

  void CallAtNone(const std::function<void()>& call) {
    std::unique_lock guard(mutex_);
    none_.wait(guard, [this] { return held_ == 0; });
    call();
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  int held_ = 0;
};

}  // namespace

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
  while (true) {
    LockCount::Mine().Add();  // before the lock: nobody may think that there is none
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return FileLock(fd.get());
    const int why = errno;
    LockCount::Mine().Remove();
    if (why != EWOULDBLOCK && why != EINTR) return StorageError("cannot lock", path, why);
    if (std::chrono::steady_clock::now() > deadline) {
      return StorageError("another process holds the lock of", path, ETIMEDOUT);
    }
    std::this_thread::sleep_for(kPause);
  }
}

FileLock::~FileLock() {
  if (fd_ < 0) return;
  ::flock(fd_, LOCK_UN);
  LockCount::Mine().Remove();
}

void CallUnlocked(const std::function<void()>& call) { LockCount::Mine().CallAtNone(call); }

}  // namespace dpsql
