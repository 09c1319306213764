#include "backend/adbc.h"

#include <gtest/gtest.h>

#include <thread>

#include "support/patience.h"
#include "support/quiet_listener.h"

namespace dpsql {
namespace {

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSoon(10);

// A driver that waits for a server which says nothing, and whose cancel is of no use. Threads that
// are left behind in it outlive the test.
class DeafDriver {
 public:
  static adbc::Driver* Get() {
    static adbc::Driver driver = Make();
    return &driver;
  }

 private:
  static adbc::Driver Make() {
    adbc::Driver driver{};
    driver.database_new = [](adbc::Database*, adbc::Error*) { return adbc::kOk; };
    driver.database_init = driver.database_new;
    driver.connection_new = [](adbc::Connection*, adbc::Error*) { return adbc::kOk; };
    driver.connection_init = [](adbc::Connection*, adbc::Database*, adbc::Error*) {
      return adbc::kOk;
    };
    driver.statement_new = [](adbc::Connection*, adbc::Statement*, adbc::Error*) {
      return adbc::kOk;
    };
    driver.statement_set_sql_query = [](adbc::Statement*, const char*, adbc::Error*) {
      return adbc::kOk;
    };
    driver.statement_execute_query = [](adbc::Statement*, adbc::ArrowStream*, std::int64_t*,
                                        adbc::Error*) -> adbc::Status {
      while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    };
    driver.statement_cancel = [](adbc::Statement*, adbc::Error*) { return adbc::kOk; };
    return driver;
  }
};

struct Ended {
  std::optional<SqlFailure> failure;
  double seconds = 0;
};

// Until the failure, and until the connection is gone as well.
Ended Ask(AdbcTarget target, Clock::time_point since) {
  Ended ended;
  {
    AdbcConnection connection(std::move(target));
    ended.failure = connection.Run("SELECT 1", [](SqlConnection::Row) {});
  }
  ended.seconds = std::chrono::duration<double>(Clock::now() - since).count();
  return ended;
}

AdbcTarget Target(const QuietListener& server, seconds limit) {
  return {.driver = DeafDriver::Get(),
          .options = {},
          .statement_limit = limit,
          .line = std::make_shared<ServerLine>("127.0.0.1:" + server.port(), "1")};
}

TEST(AdbcConnection, ALineThatIsDeadEndsAStatement) {
  QuietListener server;
  const AdbcTarget target = Target(server, seconds(60));
  target.line->NoteReached(target.line->Find());
  server.GoMute();
  const Ended ended = Ask(target, Clock::now());
  ASSERT_TRUE(ended.failure);
  EXPECT_FALSE(ended.failure->interrupted);
  EXPECT_EQ(ended.failure->text, "the server cannot be reached any more");
  // Later than a failure after which a question is run once more.
  EXPECT_GE(ended.seconds, 3.8);
  EXPECT_LT(ended.seconds, 5 * Patience());
}

void ExpectItsLimit(const Ended& ended) {
  ASSERT_TRUE(ended.failure);
  EXPECT_EQ(ended.failure->text, "the statement took longer than it may");
  EXPECT_GT(ended.seconds, 5);
}

TEST(AdbcConnection, AServerThatStandsStillIsWaitedFor) {
  QuietListener server;
  const AdbcTarget target = Target(server, seconds(5));
  std::thread queue([&] {
    while (!target.line->was_reached()) std::this_thread::sleep_for(kSoon);
    server.GoMute();
  });
  ExpectItsLimit(Ask(target, Clock::now()));
  queue.join();
}

TEST(AdbcConnection, AServerThatIsReachedInAnotherWayIsWaitedFor) {
  QuietListener server;
  server.GoMute();
  ExpectItsLimit(Ask(Target(server, seconds(5)), Clock::now()));
}

}  // namespace
}  // namespace dpsql
