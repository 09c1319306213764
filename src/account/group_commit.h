#pragma once

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
    Batch batch;  // has its memory before anybody waits: nothing fails after that
    std::unique_lock lock(mutex_);
    Waiting mine{.request = &request};
    waiting_.push_back(&mine);
    while (!mine.done) {
      changed_.wait(lock, [&] { return mine.done || !working_; });
      if (!mine.done) WorkOff(lock, batch, work);
    }
  }

 private:
  struct Waiting {
    Request* request = nullptr;
    bool done = false;
  };

  // Bounds the time that the first of a batch waits for the last.
  static constexpr std::size_t kBatchMax = 128;

  struct Batch {
    Batch() {
      waiting.reserve(kBatchMax);
      requests.reserve(kBatchMax);
    }
    std::vector<Waiting*> waiting;
    std::vector<Request*> requests;
  };

  void WorkOff(std::unique_lock<std::mutex>& lock, Batch& batch, const Work& work) {
    batch.waiting.clear();
    batch.requests.clear();
    while (!waiting_.empty() && batch.waiting.size() < kBatchMax) {
      batch.waiting.push_back(waiting_.front());
      batch.requests.push_back(waiting_.front()->request);
      waiting_.pop_front();
    }
    working_ = true;
    lock.unlock();
    work(batch.requests);
    lock.lock();
    for (Waiting* each : batch.waiting) each->done = true;
    working_ = false;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting*> waiting_;
  bool working_ = false;
};

}  // namespace dpsql
