#include "backend/postgresql_dial.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace dpsql {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

PGconn* Connect(const LibPq& library, const Parameters& parameters) {
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const auto& [keyword, value] : parameters) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  constexpr int kExpandUrl = 1;
  return library.PQconnectdbParams(keywords.data(), values.data(), kExpandUrl);
}

// What who waits and the thread that connects share; it goes with the last of them.
class Call {
 public:
  explicit Call(const LibPq& library) : library_(library) {}
  ~Call() {
    if (handle_ != nullptr) library_.PQfinish(handle_);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void Work(const Parameters& parameters) {
    PGconn* const handle = Connect(library_, parameters);
    const std::lock_guard<std::mutex> lock(mutex_);
    handle_ = handle;
    done_ = true;
    changed_.notify_all();
  }

  void Stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  Dialled Wait(std::optional<std::chrono::steady_clock::time_point> end) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto over = [this] { return done_ || stopped_; };
    if (end) {
      changed_.wait_until(lock, *end, over);
    } else {
      changed_.wait(lock, over);
    }
    if (stopped_) return {.stopped = true};
    return {.handle = std::exchange(handle_, nullptr)};
  }

 private:
  const LibPq& library_;
  std::mutex mutex_;
  std::condition_variable changed_;
  PGconn* handle_ = nullptr;
  bool done_ = false;
  bool stopped_ = false;
};

}  // namespace

Dialled Dial(const LibPq& library, const Parameters& parameters, const DialLimits& limits) {
  const auto call = std::make_shared<Call>(library);
  const StopSign::Listener listener(limits.sign, [&] { call->Stop(); });
  try {
    std::thread([call, parameters] { call->Work(parameters); }).detach();
  } catch (const std::system_error&) {
    return {};  // No thread is to be had, and in this one nothing could end the waiting.
  }
  return call->Wait(limits.end);
}

}  // namespace dpsql
