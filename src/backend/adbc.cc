#include "backend/adbc.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "backend/arrow_text.h"
#include "backend/line_watch.h"
#include "base/check.h"

namespace dpsql {

namespace {

using Clock = std::chrono::steady_clock;

// After Stop a program is gone within five seconds: first a statement has its time, then the
// release what is left of its own; the rest is for a busy machine.
constexpr auto kPatience = std::chrono::milliseconds(2500);
constexpr auto kReleasePatience = std::chrono::seconds(4);
// Spark's driver 0.3.0 loses a cancel that comes before its call has begun, and breaks on one that
// comes in the first moment of it. So none comes then, and all come again.
constexpr auto kBeforeCancel = std::chrono::milliseconds(100);
constexpr auto kBetweenCancels = std::chrono::milliseconds(50);
constexpr std::size_t kMostBatches = 4;

struct Batch {
  std::size_t columns = 0;
  TextCells cells;
};

// Owns the text that a driver puts into it.
class DriverError {
 public:
  DriverError() = default;
  ~DriverError() {
    if (error_.release != nullptr) error_.release(&error_);
  }
  DriverError(const DriverError&) = delete;
  DriverError& operator=(const DriverError&) = delete;

  adbc::Error* get() { return &error_; }
  std::string text() const {
    return error_.message == nullptr ? "the driver gives no reason" : error_.message;
  }

 private:
  adbc::Error error_{};
};

// Releases what a driver has filled in.
template <typename Thing>
class Released {
 public:
  Released() = default;
  ~Released() {
    if (thing_.release != nullptr) thing_.release(&thing_);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

  Thing* get() { return &thing_; }
  Thing& operator*() { return thing_; }
  Thing* operator->() { return &thing_; }

 private:
  Thing thing_{};
};

}  // namespace

// What the caller, the thread that works and the one that cancels share.
struct AdbcConnection::Channel {
  std::mutex mutex;
  std::condition_variable changed;

  // From the caller.
  std::optional<std::string> statement;
  bool closing = false;
  std::optional<Clock::time_point> stopped;

  // From the thread that watches the line: the driver will not come back.
  bool dead = false;

  // From the thread that works.
  std::deque<Batch> batches;
  bool done = true;        // no statement runs
  Clock::time_point life;  // when the statement began, or something of it last came
  std::optional<SqlFailure> failure;
  bool released = false;

  // What can be cancelled. Its own lock: it is held inside of the driver.
  std::mutex cancel_mutex;
  adbc::Statement* running = nullptr;
  Clock::time_point running_since;

  void Stop() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!stopped) stopped = Clock::now();
    changed.notify_all();
  }

  bool IsOver() const { return stopped || closing; }

  // Gives a batch to the caller; false where nobody wants it any more.
  bool Give(Batch batch) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return batches.size() < kMostBatches || IsOver(); });
    if (IsOver()) return false;
    batches.push_back(std::move(batch));
    life = Clock::now();
    changed.notify_all();
    return true;
  }

  void SetRunning(adbc::Statement* now) {
    const std::lock_guard<std::mutex> lock(cancel_mutex);
    running = now;
    running_since = Clock::now();
  }
};

// The driver's database and connection, used by the thread that works and by no other.
class AdbcConnection::Session {
 public:
  Session(const AdbcTarget& target, Channel& channel) : driver_(*target.driver), channel_(channel) {
    database_.private_driver = connection_.private_driver = &driver_;
    failure_ = Open(target);
  }

  ~Session() {
    DriverError ignored;
    if (connection_.private_data != nullptr) {
      driver_.connection_release(&connection_, ignored.get());
    }
    DriverError also_ignored;
    if (database_.private_data != nullptr) {
      driver_.database_release(&database_, also_ignored.get());
    }
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  std::optional<SqlFailure> Run(const std::string& sql) {
    if (failure_) return failure_;
    adbc::Statement statement{.private_data = nullptr, .private_driver = &driver_};
    DriverError error;
    if (driver_.statement_new(&connection_, &statement, error.get()) != adbc::kOk) {
      return SqlFailure{.text = error.text()};
    }
    std::optional<SqlFailure> failure = Execute(statement, sql);
    channel_.SetRunning(nullptr);
    DriverError ignored;
    driver_.statement_release(&statement, ignored.get());
    return failure;
  }

 private:
  std::optional<SqlFailure> Open(const AdbcTarget& target) {
    DriverError error;
    bool good = driver_.database_new(&database_, error.get()) == adbc::kOk;
    for (const auto& [key, value] : target.options) {
      good = good && driver_.database_set_option(&database_, key.c_str(), value.c_str(),
                                                 error.get()) == adbc::kOk;
    }
    good = good && driver_.database_init(&database_, error.get()) == adbc::kOk;
    good = good && driver_.connection_new(&connection_, error.get()) == adbc::kOk;
    good = good && driver_.connection_init(&connection_, &database_, error.get()) == adbc::kOk;
    // What a driver says of its options may repeat them, and a token is among them.
    if (!good) return SqlFailure{.text = "the driver could not open a connection"};
    return std::nullopt;
  }

  std::optional<SqlFailure> Execute(adbc::Statement& statement, const std::string& sql) {
    DriverError error;
    Released<adbc::ArrowStream> stream;
    if (driver_.statement_set_sql_query(&statement, sql.c_str(), error.get()) != adbc::kOk) {
      return SqlFailure{.text = error.text()};
    }
    channel_.SetRunning(&statement);
    if (driver_.statement_execute_query(&statement, stream.get(), nullptr, error.get()) !=
        adbc::kOk) {
      return SqlFailure{.text = error.text()};
    }
    Released<adbc::ArrowSchema> schema;
    if (stream->get_schema(stream.get(), schema.get()) != 0) return StreamFailure(*stream);
    const std::unique_ptr<ArrowText> reader = ArrowText::Read(*schema);
    if (reader == nullptr) return SqlFailure{.text = "a column has a type that is not read"};
    return ReadAll(*stream, *reader);
  }

  std::optional<SqlFailure> ReadAll(adbc::ArrowStream& stream, const ArrowText& reader) {
    while (true) {
      Released<adbc::ArrowArray> array;
      if (stream.get_next(&stream, array.get()) != 0) return StreamFailure(stream);
      if (array->release == nullptr) return std::nullopt;
      Batch batch{.columns = reader.columns(), .cells = {}};
      reader.Append(*array, batch.cells);
      if (!channel_.Give(std::move(batch))) return SqlFailure{.interrupted = true, .text = ""};
    }
  }

  static SqlFailure StreamFailure(adbc::ArrowStream& stream) {
    const char* text = stream.get_last_error(&stream);
    return {.text = text == nullptr ? "the driver gives no reason" : text};
  }

  adbc::Driver& driver_;
  Channel& channel_;
  adbc::Database database_{};
  adbc::Connection connection_{};
  std::optional<SqlFailure> failure_;
};

AdbcConnection::AdbcConnection(AdbcTarget target)
    : limit_(target.statement_limit), channel_(std::make_shared<Channel>()) {
  std::thread([channel = channel_, driver = target.driver] { Cancel(channel, *driver); }).detach();
  if (target.line) {
    std::thread([channel = channel_, line = target.line] { Watch(channel, *line); }).detach();
  }
  std::thread([channel = channel_, target = std::move(target)] { Work(channel, target); }).detach();
}

AdbcConnection::~AdbcConnection() {
  std::unique_lock<std::mutex> lock(channel_->mutex);
  channel_->closing = true;
  if (!channel_->done && !channel_->stopped) channel_->stopped = Clock::now();
  channel_->changed.notify_all();
  const Clock::time_point until = channel_->stopped.value_or(Clock::now()) + kReleasePatience;
  channel_->changed.wait_until(lock, until,
                               [this] { return channel_->released || channel_->dead; });
}

void AdbcConnection::Work(const std::shared_ptr<Channel>& channel, const AdbcTarget& target) {
  {
    Session session(target, *channel);
    while (true) {
      std::unique_lock<std::mutex> lock(channel->mutex);
      channel->changed.wait(lock, [&] { return channel->statement || channel->IsOver(); });
      if (channel->IsOver()) break;
      const std::string sql = *std::exchange(channel->statement, std::nullopt);
      lock.unlock();
      std::optional<SqlFailure> failure;
      try {
        failure = session.Run(sql);
      } catch (const std::exception& error) {
        failure = SqlFailure{.text = error.what()};
      }
      lock.lock();
      channel->failure = std::move(failure);
      channel->done = true;
      channel->changed.notify_all();
    }
  }
  const std::lock_guard<std::mutex> lock(channel->mutex);
  channel->done = channel->released = true;
  channel->changed.notify_all();
}

void AdbcConnection::Cancel(const std::shared_ptr<Channel>& channel, adbc::Driver& driver) {
  std::unique_lock<std::mutex> lock(channel->mutex);
  channel->changed.wait(lock, [&] { return channel->stopped || channel->released; });
  while (!channel->released) {
    lock.unlock();
    {
      const std::lock_guard<std::mutex> held(channel->cancel_mutex);
      const bool begun = Clock::now() - channel->running_since > kBeforeCancel;
      DriverError ignored;
      if (channel->running != nullptr && begun) {
        driver.statement_cancel(channel->running, ignored.get());
      }
    }
    lock.lock();
    channel->changed.wait_for(lock, kBetweenCancels, [&] { return channel->released; });
  }
}

// A server that cannot be tried from here, or was never reached like this, is left to the driver.
// What ends here a statement has lasted for LineWatch::kSilence, as `life` is not before its begin.
void AdbcConnection::Watch(const std::shared_ptr<Channel>& channel, ServerLine& line) {
  LineWatch watch(line);
  if (watch.is_blind()) return;
  const auto over = [&] { return channel->IsOver(); };
  std::unique_lock<std::mutex> lock(channel->mutex);
  while (true) {
    if (channel->done && line.was_reached()) {
      channel->changed.wait(lock, [&] { return over() || !channel->done; });
    }
    const Clock::time_point life = channel->life;
    lock.unlock();
    const bool silent = watch.IsSilent(life);
    lock.lock();
    if (silent && !line.was_reached()) return;
    if (silent && !channel->done && channel->life == life) break;
    if (channel->changed.wait_for(lock, LineWatch::kBetweenLooks, over)) return;
  }
  if (over()) return;
  channel->dead = true;
  channel->stopped = Clock::now();
  channel->changed.notify_all();
  lock.unlock();
  line.FindAnew();
}

std::optional<SqlFailure> AdbcConnection::Run(const std::string& sql,
                                              const std::function<void(Row)>& consume) {
  Channel& channel = *channel_;
  const Clock::time_point limit = Clock::now() + limit_;
  bool too_long = false;
  std::unique_lock<std::mutex> lock(channel.mutex);
  if (channel.stopped) return SqlFailure{.interrupted = true, .text = "stopped before it began"};
  Check(channel.done && channel.batches.empty(), "one statement runs at a time");
  channel.statement = sql;
  channel.done = false;
  channel.life = Clock::now();
  channel.changed.notify_all();
  while (true) {
    const bool ending = channel.stopped.has_value();
    const Clock::time_point until = ending ? *channel.stopped + kPatience : limit;
    const bool woken = channel.changed.wait_until(lock, until, [&] {
      return channel.done || !channel.batches.empty() || channel.stopped.has_value() != ending;
    });
    if (channel.stopped) {
      channel.batches.clear();
      if (channel.dead) return SqlFailure{.text = "the server cannot be reached any more"};
      if ((ending && !woken) || channel.done) {
        return SqlFailure{.interrupted = !too_long,
                          .text = too_long ? "the statement took longer than it may" : "stopped"};
      }
    } else if (!woken) {
      too_long = true;
      channel.stopped = Clock::now();
      channel.changed.notify_all();
    } else if (!channel.batches.empty()) {
      const Batch batch = std::move(channel.batches.front());
      channel.batches.pop_front();
      channel.changed.notify_all();
      lock.unlock();
      for (std::size_t at = 0; at < batch.cells.size(); at += batch.columns) {
        consume(Row(batch.cells).subspan(at, batch.columns));
      }
      lock.lock();
    } else {
      return std::exchange(channel.failure, std::nullopt);
    }
  }
}

void AdbcConnection::Stop() { channel_->Stop(); }

}  // namespace dpsql
