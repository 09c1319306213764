#include "account/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
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

namespace {

// A thread that stands in the kernel's queue for a lock, which knows no time-out. The lock belongs
// to a descriptor of its own: whoever gives up leaves it to the thread, which closes it.
class Queued {
 public:
  // Requires: `fd` is a lockable file, opened anew for this.
  static std::shared_ptr<Queued> Start(FileDescriptor fd) {
    auto queued = std::make_shared<Queued>(std::move(fd));
    std::thread([queued] { queued->Stand(); }).detach();
    return queued;
  }

  explicit Queued(FileDescriptor fd) : fd_(std::move(fd)) {}

  // The descriptor that holds the lock; none after a time-out.
  FileDescriptor Await(std::chrono::milliseconds timeout) {
    std::unique_lock guard(mutex_);
    locked_now_.wait_for(guard, timeout, [&] { return locked_; });
    return locked_ ? std::move(fd_) : FileDescriptor();
  }

 private:
  void Stand() {
    while (::flock(fd_.get(), LOCK_EX) != 0) {
      if (errno != EINTR) return;  // the other side waits for its time-out
    }
    const std::lock_guard guard(mutex_);
    locked_ = true;
    locked_now_.notify_one();
  }

  FileDescriptor fd_;
  std::mutex mutex_;
  std::condition_variable locked_now_;
  bool locked_ = false;
};

}  // namespace

Result<FileLock> FileLock::Acquire(const FileDescriptor& fd, const std::string& path) {
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return FileLock(fd.get());
  if (errno != EWOULDBLOCK && errno != EINTR) return StorageError("cannot lock", path, errno);
  const std::string same_file = "/proc/self/fd/" + std::to_string(fd.get());
  FileDescriptor own(::open(same_file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!own.valid()) return StorageError("cannot lock", path, errno);
  own = Queued::Start(std::move(own))->Await(kLockTimeout);
  if (own.valid()) return FileLock(std::move(own));
  return StorageError("another process holds the lock of", path, ETIMEDOUT);
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::flock(fd_, LOCK_UN);
}

}  // namespace dpsql
