#include "account/live_reservations.h"

#include <fcntl.h>

#include <cerrno>

#include "account/ledger_errors.h"
#include "base/try.h"

namespace dpsql {
namespace {

// Far behind the end of any head file.
constexpr off_t kFirstByte = off_t{1} << 50;

struct flock ByteLock(short type, std::int64_t reservation) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = kFirstByte + static_cast<off_t>(reservation);
  lock.l_len = 1;
  return lock;
}

}  // namespace

Result<std::shared_ptr<LiveReservations>> LiveReservations::Open(const std::string& head_path) {
  FileDescriptor fd(::open(head_path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
  if (!fd.valid()) return StorageError("cannot open", head_path, errno);
  return std::shared_ptr<LiveReservations>(new LiveReservations(std::move(fd), head_path));
}

Status LiveReservations::Mark(std::int64_t reservation) {
  const std::lock_guard guard(mutex_);
  struct flock lock = ByteLock(F_RDLCK, reservation);  // read locks do not exclude each other
  if (::fcntl(fd_.get(), F_OFD_SETLK, &lock) != 0) {
    return StorageError("cannot lock", path_, errno);
  }
  ++ours_[reservation];
  return Done{};
}

void LiveReservations::Unmark(std::int64_t reservation) noexcept {
  const std::lock_guard guard(mutex_);
  const auto ours = ours_.find(reservation);
  if (ours == ours_.end() || --ours->second > 0) return;
  ours_.erase(ours);
  struct flock lock = ByteLock(F_UNLCK, reservation);
  ::fcntl(fd_.get(), F_OFD_SETLK, &lock);
}

Result<bool> LiveReservations::IsLive(std::int64_t reservation) {
  const std::lock_guard guard(mutex_);
  if (ours_.contains(reservation)) return true;
  struct flock lock = ByteLock(F_WRLCK, reservation);
  if (::fcntl(fd_.get(), F_OFD_GETLK, &lock) != 0)
    return StorageError("cannot look at", path_, errno);
  return lock.l_type != F_UNLCK;
}

Result<std::vector<std::int64_t>> LiveReservations::LostOf(
    const std::vector<std::int64_t>& reservations) {
  std::vector<std::int64_t> lost;
  for (const std::int64_t reservation : reservations) {
    TRY(const bool at_work, IsLive(reservation));
    if (!at_work) lost.push_back(reservation);
  }
  return lost;
}

}  // namespace dpsql
