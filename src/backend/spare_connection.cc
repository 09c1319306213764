#include "backend/spare_connection.h"

#include <utility>

namespace dpsql {
namespace {

class LentConnection : public SqlConnection {
 public:
  LentConnection(std::shared_ptr<SpareConnection> spare, OpenConnection open)
      : spare_(std::move(spare)), open_(std::move(open)) {
    SpareConnection::Taken taken = spare_->Take();
    untried_ = taken.fresh != nullptr;
    connection_ = untried_ ? std::move(taken.fresh) : open_();
    lost_ = std::move(taken.stale);
  }
  ~LentConnection() override {
    if (well_ && !stopped_) spare_->Keep(std::move(connection_));
  }
  LentConnection(const LentConnection&) = delete;
  LentConnection& operator=(const LentConnection&) = delete;

  std::optional<SqlFailure> Run(const std::string& sql,
                                const std::function<void(Row)>& consume) override {
    well_ = false;  // also where the reader of the rows throws
    bool read = false;
    const auto start = std::chrono::steady_clock::now();
    std::optional<SqlFailure> failure = connection_->Run(sql, [&](Row row) {
      read = true;
      consume(row);
    });
    const bool soon = std::chrono::steady_clock::now() - start <= spare_->limits().loss;
    const bool untried = std::exchange(untried_, false);
    const bool blind = !read && soon && untried;
    const bool lost = blind && failure && !failure->changed && !failure->interrupted;
    if (lost && Replace()) failure = connection_->Run(sql, consume);
    well_ = !failure;
    return failure;
  }

  void Stop() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    connection_->Stop();
  }

 private:
  // False where the question was stopped. The old one is released beside the new one, and goes when
  // nobody waits for the lock.
  bool Replace() {
    std::unique_ptr<SqlConnection> other = open_();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_) return false;
    connection_.swap(other);
    lost_ = std::move(other);
    lost_->Stop();
    return true;
  }

  std::shared_ptr<SpareConnection> spare_;
  OpenConnection open_;
  std::mutex mutex_;  // of `connection_`, which Stop reads from another thread, and `stopped_`
  std::unique_ptr<SqlConnection> connection_;
  std::unique_ptr<SqlConnection> lost_;  // a driver may take its time to release it
  bool stopped_ = false;
  bool untried_ = false;  // a spare one that has run nothing of this question
  bool well_ = true;
};

}  // namespace

SpareConnection::Taken SpareConnection::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (Clock::now() - since_ <= limits_.age) return {.fresh = std::move(connection_)};
  if (connection_) connection_->Stop();
  return {.stale = std::move(connection_)};
}

void SpareConnection::Keep(std::unique_ptr<SqlConnection> connection) {
  const std::lock_guard<std::mutex> lock(mutex_);
  connection_.swap(connection);
  since_ = Clock::now();
}

std::unique_ptr<SqlConnection> LendConnection(std::shared_ptr<SpareConnection> spare,
                                              OpenConnection open) {
  return std::make_unique<LentConnection>(std::move(spare), std::move(open));
}

}  // namespace dpsql
