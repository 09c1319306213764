#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace dpsql {

// Lets one of several threads do the work of all that wait, so that they share its flush of the
// disk. Whoever comes while nobody works takes what is waiting, its own request included, as one
// batch, in the order of arrival.
template <typename Request>
class GroupCommit {
 public:
  using Work = std::function<void(std::span<Request* const> batch)>;

  // Returns when `request` was part of a batch that `work` has finished.
  // Requires: `work` does not throw, and does not call Run.
  void Run(Request& request, const Work& work) {
    std::unique_lock lock(mutex_);
    Waiting mine{.request = &request};
    waiting_.push_back(&mine);
    while (true) {
      changed_.wait(lock, [&] { return mine.done || !working_; });
      if (mine.done) return;
      WorkOff(lock, work);
    }
  }

 private:
  struct Waiting {
    Request* request = nullptr;
    bool done = false;
  };

  // Bounds the time that the first of a batch waits for the last.
  static constexpr std::size_t kBatchMax = 128;

  void WorkOff(std::unique_lock<std::mutex>& lock, const Work& work) {
    working_ = true;
    const std::vector<Waiting*> batch = TakeBatch();
    lock.unlock();
    std::vector<Request*> requests;
    for (const Waiting* each : batch) requests.push_back(each->request);
    work(requests);
    lock.lock();
    for (Waiting* each : batch) each->done = true;
    working_ = false;
    changed_.notify_all();
  }

  std::vector<Waiting*> TakeBatch() {
    const std::size_t size = std::min(waiting_.size(), kBatchMax);
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(size);
    std::vector<Waiting*> batch(waiting_.begin(), end);
    waiting_.erase(waiting_.begin(), end);
    return batch;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting*> waiting_;
  bool working_ = false;
};

}  // namespace dpsql
