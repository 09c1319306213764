#include "backend/query_watch.h"

#include <utility>

#include "backend/public_engine.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {

Deadline::Deadline(std::optional<std::chrono::milliseconds> limit, std::function<void()> stop)
    : stop_(std::move(stop)) {
  if (!limit) return;
  const auto end = std::chrono::steady_clock::now() + *limit;
  thread_ = std::thread([this, end] { Wait(end); });
}

Deadline::~Deadline() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Deadline::passed() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return passed_;
}

void Deadline::Wait(std::chrono::steady_clock::time_point end) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (ended_.wait_until(lock, end, [this] { return done_; })) return;
  passed_ = true;
  lock.unlock();
  stop_();
}

namespace {

class WatchedSnapshot : public SnapshotReader {
 public:
  WatchedSnapshot(std::unique_ptr<SnapshotReader> reader, WatchRules rules)
      : reader_(std::move(reader)),
        stamps_(std::move(rules.stamps)),
        sign_(std::move(rules.sign)),
        listener_(*sign_, std::move(rules.stop)),
        deadline_(rules.timeout, [this] { sign_->Stop(); }) {}

  Result<std::vector<std::vector<Value>>> KnownKeys(const Door& door) override {
    return Kept([&] { return reader_->KnownKeys(door); });
  }
  Result<ExactTable> Count(const Door& door) override {
    return Kept([&] { return reader_->Count(door); });
  }
  Result<ExactTable> Sum(const Door& door, const KeySet& keys) override {
    return Kept([&] { return reader_->Sum(door, keys); });
  }
  Status Add(const PublicTable& release) override {
    return Kept([&] { return reader_->Add(release); });
  }
  Result<std::vector<PublicTable>> ReadPublic(const DpPlan& plan) override {
    return Kept([&] { return reader_->ReadPublic(plan); });
  }
  Result<std::vector<std::vector<Value>>> Compute(const std::vector<PublicTable>& tables,
                                                  const ast::Select& select) override {
    return Kept([&] { return RunPublic(tables, select, *sign_); });
  }

 private:
  // Data that changed explains every other failure, and time that is over the interruption.
  template <typename Work>
  auto Kept(Work work) const -> decltype(work()) {
    auto result = work();
    if (!Unchanged(stamps_)) return DataChanged();
    if (!result && deadline_.passed()) return TimedOut();
    return result;
  }

  std::unique_ptr<SnapshotReader> reader_;
  std::vector<FileStamp> stamps_;
  std::shared_ptr<StopSign> sign_;
  StopSign::Listener listener_;
  Deadline deadline_;  // last: its thread ends before what it stops
};

}  // namespace

std::unique_ptr<SnapshotReader> Watched(std::unique_ptr<SnapshotReader> reader, WatchRules rules) {
  return std::make_unique<WatchedSnapshot>(std::move(reader), std::move(rules));
}

Error TimedOut() {
  return MakeError(ErrorCode::kDatabaseRun, "the query took longer than the policy allows", {},
                   "the budget stays spent; ask for less at once, or ask the owner for more time");
}

Error DataChanged() {
  return MakeError(ErrorCode::kDatabaseRun, "the data changed while it was read", {},
                   "the budget stays spent; open a new session to ask the new data");
}

}  // namespace dpsql
