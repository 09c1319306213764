#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "account/file_lock.h"
#include "dpsql/result.h"

namespace dpsql {

// Tells a paid query that is still at work from one that was lost with its process. Each lives as
// a lock on a byte of the head file, far behind its end, that the kernel frees when its holder
// dies. The locks are those of an open file description: other descriptions see them, in this
// process or another, and the set below knows our own.
class LiveReservations {
 public:
  static Result<std::shared_ptr<LiveReservations>> Open(const std::string& head_path);

  // A number can be marked twice for a moment: by one whose commit failed, and who has not yet let
  // go, and by the next to take it.
  Status Mark(std::int64_t reservation);
  void Unmark(std::int64_t reservation) noexcept;
  Result<bool> IsLive(std::int64_t reservation);
  // Those of them that nobody holds any more.
  Result<std::vector<std::int64_t>> LostOf(const std::vector<std::int64_t>& reservations);

 private:
  LiveReservations(FileDescriptor fd, std::string path)
      : fd_(std::move(fd)), path_(std::move(path)) {}

  FileDescriptor fd_;
  std::string path_;
  std::mutex mutex_;
  std::map<std::int64_t, int> ours_;  // how often each is marked
};

// Holds a reservation alive until it goes out of scope.
class LiveMark {
 public:
  LiveMark() = default;
  LiveMark(std::shared_ptr<LiveReservations> live, std::int64_t reservation)
      : live_(std::move(live)), reservation_(reservation) {}
  LiveMark(LiveMark&& other) noexcept = default;
  LiveMark& operator=(LiveMark&& other) noexcept {
    std::swap(live_, other.live_);
    std::swap(reservation_, other.reservation_);
    return *this;
  }
  LiveMark(const LiveMark&) = delete;
  LiveMark& operator=(const LiveMark&) = delete;
  ~LiveMark() {
    if (live_) live_->Unmark(reservation_);
  }

 private:
  std::shared_ptr<LiveReservations> live_;
  std::int64_t reservation_ = 0;
};

}  // namespace dpsql
