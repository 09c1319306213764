// Stops, time limits, signals, and a server that hangs or dies.
#include "engines/spark_test.h"

namespace dpsql {
namespace {

// Seconds of processor time that the server has used.
double ServerTime() {
  std::ifstream file("/proc/" + std::to_string(ServerProcess()) + "/stat");
  std::stringstream text;
  text << file.rdbuf();
  std::istringstream fields(text.str().substr(text.str().rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double ServerLoad(seconds time) {
  const double before = ServerTime();
  std::this_thread::sleep_for(time);
  return (ServerTime() - before) / static_cast<double>(time.count());
}

constexpr const char* kEndless =
    "SELECT count(*) FROM range(100000000000) WHERE sha2(CAST(id AS STRING), 256) LIKE '00000%'";

// How long Run takes after Stop, which comes after `before`.
double SecondsAfterStop(SqlConnection& connection, const std::string& sql,
                        std::chrono::milliseconds before) {
  Clock::time_point stopped;
  std::thread stopper([&] {
    std::this_thread::sleep_for(before);
    stopped = Clock::now();
    connection.Stop();
  });
  const auto failure = connection.Run(sql, [](SqlConnection::Row) {});
  stopper.join();
  EXPECT_TRUE(failure && failure->interrupted) << (failure ? failure->text : "no failure");
  return std::chrono::duration<double>(Clock::now() - stopped).count();
}

TEST_F(SparkTest, StopEndsTheQueryOnTheServer) {
  ReadSchema();
  auto connection = Connect();
  Ask(*connection, "SELECT 1");
  std::optional<double> running;
  std::thread watch([&] {
    std::this_thread::sleep_for(seconds(1));
    running = ServerLoad(seconds(2));
  });
  EXPECT_LT(SecondsAfterStop(*connection, kEndless, seconds(4)), 5);
  watch.join();
  // How much of a machine the server gets is not known.
  EXPECT_GT(*running, 0.1);
  std::this_thread::sleep_for(seconds(3));
  EXPECT_LT(ServerLoad(seconds(2)), *running / 3);
  EXPECT_TRUE(connection->Run("SELECT 1", [](SqlConnection::Row) {})->interrupted);
}

TEST_F(SparkTest, AConnectionThatGoesEndsItsQuery) {
  ReadSchema();
  std::thread([] {
    AdbcTarget target = Target();
    target.statement_limit = seconds(3);
    AdbcConnection connection(target);
    const auto failure = connection.Run(kEndless, [](SqlConnection::Row) {});
    EXPECT_TRUE(failure && !failure->interrupted);
    EXPECT_THAT(failure->text, HasSubstr("longer"));
  }).join();
  std::this_thread::sleep_for(seconds(3));
  EXPECT_LT(ServerLoad(seconds(2)), 0.15);
}

// The driver loses or breaks on a cancel at the wrong moment, and Spark may overlook one: at many
// moments, and nothing runs on.
TEST_F(SparkTest, StopAtAnyMoment) {
  ReadSchema();
  for (int i = 0; i < 30; ++i) {
    const auto connection = Connect();
    Ask(*connection, "SELECT 1");
    EXPECT_LT(SecondsAfterStop(*connection, kEndless, std::chrono::milliseconds(i * 40)), 5);
  }
  std::this_thread::sleep_for(seconds(2));
  EXPECT_LT(ServerLoad(seconds(2)), 0.15);
  EXPECT_EQ(Ask(*Connect(), "SELECT 1"), (Rows{{"1"}}));
}

TEST(SparkDeathTest, AClosedPipeEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto write_to_a_closed_pipe = [] {
    std::signal(SIGPIPE, SIG_DFL);
    AdbcConnection connection(Target());
    Ask(connection, "SELECT 1");
    int ends[2];
    if (pipe(ends) != 0) _exit(1);
    close(ends[0]);
    if (write(ends[1], "x", 1) < 0) _exit(2);
    _exit(3);
  };
  EXPECT_EXIT(write_to_a_closed_pipe(), ::testing::KilledBySignal(SIGPIPE), "");
}

TEST(SparkDeathTest, CtrlCIsWaitedForAsBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto wait_for_ctrl_c = [] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    AdbcConnection connection(Target());
    Ask(connection, "SELECT 1");
    for (int i = 0; i < 20; ++i) {
      kill(getpid(), SIGINT);
      const timespec most = {.tv_sec = 2, .tv_nsec = 0};
      if (sigtimedwait(&signals, nullptr, &most) != SIGINT) _exit(1);
    }
    _exit(42);
  };
  EXPECT_EXIT(wait_for_ctrl_c(), ::testing::ExitedWithCode(42), "");
}

TEST(SparkAbsent, NobodyListens) {
  Incidents incidents;
  const auto engine = MakeSparkEngine("//127.0.0.1:1", incidents).value();
  const auto begin = Clock::now();
  const auto schema = engine->ReadSchema({});
  ASSERT_FALSE(schema.ok());
  EXPECT_EQ(schema.error().code, "E501");
  EXPECT_LT(Clock::now() - begin, seconds(20));
}

// Behind a restart Spark runs a statement of a session that it never had, with the settings of the
// server, and says nothing. The catalogue has the table again.
TEST_F(SparkTest, NothingIsReadInASessionThatIsNotOurs) {
  const std::string place = " USING parquet LOCATION '" + (folder_ / "moments").string() + "'";
  {
    AdbcConnection writer(Target());
    ASSERT_EQ(Ask(writer, "CREATE TABLE moments" + place +
                              " AS SELECT CAST('2024-01-01 00:30:00Z' AS TIMESTAMP_LTZ) AS moment"),
              Rows{});
  }
  policy_.tables = {Table("moments")};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  const std::string sql =
      "SELECT moment, current_timezone() FROM (" + engine_->ReadTable(schema.tables[0]) + ") AS t";
  const Rows ours = {{"2024-01-01 00:30:00", "UTC"}};
  EXPECT_EQ(Ask(*Connect(), sql), ours);
  const auto spare = Connect();
  const auto tried = Connect();
  EXPECT_EQ(Ask(*tried, sql), ours);
  AdbcConnection plain(Target());
  EXPECT_EQ(Ask(plain, "SET spark.sql.session.timeZone=UTC").size(), 1);

  RestartServer();
  const Rows theirs = {{"America/New_York"}};
  EXPECT_EQ(Ask(plain, "SELECT current_timezone()"), theirs) << "a session is lost without a word";
  {
    AdbcConnection writer(Target());
    ASSERT_EQ(Ask(writer, "CREATE TABLE moments" + place), Rows{});
    ASSERT_EQ(Ask(writer, "SELECT count(*) FROM moments"), (Rows{{"1"}}));
  }
  const auto begin = Clock::now();
  EXPECT_EQ(Ask(*spare, sql), ours) << "in a new session";
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  std::cout << "the question behind the restart took " << took.count() << " ms" << std::endl;
  EXPECT_THAT(Ask(*tried, sql)[0][0], HasSubstr("TABLE_OR_VIEW_NOT_FOUND"));
  EXPECT_THAT(Ask(*tried, "SELECT 1")[0][0], HasSubstr("TABLE_OR_VIEW_NOT_FOUND"));
}

// From here on the server suffers.
TEST_F(SparkTest, ServerThatHangs) {
  ReadSchema();
  auto connection = Connect();
  Ask(*connection, "SELECT 1");
  kill(ServerProcess(), SIGSTOP);
  EXPECT_LT(SecondsAfterStop(*connection, "SELECT 1", seconds(2)), 5);
  const auto begin = Clock::now();
  connection.reset();
  EXPECT_LT(Clock::now() - begin, seconds(8));
  auto hopeless = Connect();
  EXPECT_LT(SecondsAfterStop(*hopeless, "SELECT 1", seconds(1)), 5);
  hopeless.reset();
  kill(ServerProcess(), SIGCONT);
  EXPECT_EQ(Ask(*Connect(), "SELECT 1"), (Rows{{"1"}}));
}

TEST_F(SparkTest, ServerThatDies) {
  ReadSchema();
  const auto connection = Connect();
  Ask(*connection, "SELECT 1");
  Clock::time_point killed;
  std::thread killer([&] {
    std::this_thread::sleep_for(seconds(2));
    killed = Clock::now();
    kill(ServerProcess(), SIGKILL);
  });
  const auto failure = connection->Run(kEndless, [](SqlConnection::Row) {});
  killer.join();
  ASSERT_TRUE(failure);
  EXPECT_FALSE(failure->interrupted);
  EXPECT_LT(Clock::now() - killed, seconds(5));
}

}  // namespace
}  // namespace dpsql
