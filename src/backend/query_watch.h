#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "backend/stop_sign.h"
#include "base/file_stamp.h"

namespace dpsql {

// Calls `stop` once, from a thread of its own, when the time is over; not after its end.
class Deadline {
 public:
  Deadline(std::optional<std::chrono::milliseconds> limit, std::function<void()> stop);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  bool passed() const;

 private:
  void Wait(std::chrono::steady_clock::time_point end);

  std::function<void()> stop_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  bool passed_ = false;
  std::thread thread_;
};

// What a query must keep to while it reads.
struct WatchRules {
  std::optional<std::chrono::milliseconds> timeout;
  std::vector<FileStamp> stamps;   // of everything that is read
  std::shared_ptr<StopSign> sign;  // at which it stops, and which says so when time is over
  std::function<void()> stop;      // of what reads
};

// A snapshot that ends when the policy's time is over, and whose passes all see the files as they
// were when the session was opened. Both errors are fixed texts: they say that a limit was crossed,
// and nothing else.
std::unique_ptr<SnapshotReader> Watched(std::unique_ptr<SnapshotReader> reader, WatchRules rules);

// The policy's time is over: fixed text, and what was paid stays paid.
Error TimedOut();

// The data is not what it was: fixed text, and what was paid stays paid.
Error DataChanged();

}  // namespace dpsql
