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
    std::unique_lock lock(mutex_);
    Waiting mine{.request = &request};
    waiting_.push_back(&mine);
    while (!mine.done) {
      changed_.wait(lock, [&] { return mine.done || !working_; });
      if (!mine.done) WorkOff(lock, work);
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
    std::vector<Request*> requests;
    requests.reserve(kBatchMax);  // nothing below fails: nobody is left waiting for ever
    std::vector<Waiting*> batch;
    batch.reserve(kBatchMax);
    TakeBatch(batch);
    working_ = true;
    lock.unlock();
    for (const Waiting* each : batch) requests.push_back(each->request);
    work(requests);
    lock.lock();
    for (Waiting* each : batch) each->done = true;
    working_ = false;
    changed_.notify_all();
  }

  void TakeBatch(std::vector<Waiting*>& batch) {
    while (!waiting_.empty() && batch.size() < kBatchMax) {
      batch.push_back(waiting_.front());
      waiting_.pop_front();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting*> waiting_;
  bool working_ = false;
};

}  // namespace dpsql
