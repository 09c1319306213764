#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <utility>

namespace dpsql {

// What a query listens to while it runs: the analyst's Cancel and the policy's time limit.
class StopSign {
 public:
  // Calls `stop` when the query must end, at once where it must already; not after its own end.
  class Listener {
   public:
    Listener(StopSign& sign, std::function<void()> stop) : sign_(sign) {
      const std::lock_guard<std::mutex> lock(sign_.mutex_);
      if (sign_.stopped_) stop();
      place_ = sign_.stops_.insert(sign_.stops_.end(), std::move(stop));
    }
    ~Listener() {
      const std::lock_guard<std::mutex> lock(sign_.mutex_);
      sign_.stops_.erase(place_);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

   private:
    StopSign& sign_;
    std::list<std::function<void()>>::iterator place_;
  };

  // Stops all that listens, and all that will. From any thread.
  void Stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    for (const auto& stop : stops_) stop();
  }

 private:
  std::mutex mutex_;
  bool stopped_ = false;
  std::list<std::function<void()>> stops_;
};

}  // namespace dpsql
