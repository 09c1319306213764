#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <thread>

#include "postgresql/engine_fixture.h"
#include "support/patience.h"

namespace dpsql {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kSleep = "SELECT pg_sleep(60)";
// A statement that works without a pause, and whose rows never come.
constexpr const char* kWork =
    "SELECT count(*) FROM generate_series(1, 100000000) AS a, generate_series(1, 1000) AS b";
// One that sends rows without end.
constexpr const char* kTalk = "SELECT repeat('x', 1000), generate_series(1, 100000000)";

constexpr const char* kRunning =
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dpsql' AND state = 'active'";

// What a statement ended with, and after how long.
struct Ending {
  std::optional<SqlFailure> failure;
  milliseconds took{};
};

std::future<Ending> RunBeside(SqlConnection& connection, const std::string& sql) {
  return std::async(std::launch::async, [&connection, sql] {
    const auto start = steady_clock::now();
    Ending ending{.failure = connection.Run(sql, [](SqlConnection::Row) {})};
    ending.took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
    return ending;
  });
}

template <typename Condition>
bool Soon(Condition condition, milliseconds limit = milliseconds(5000)) {
  const auto end = steady_clock::now() + limit * Patience();
  while (!condition()) {
    if (steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(20));
  }
  return true;
}

bool IsRunning(const PostgreSqlServer& server) { return server.Sql(kRunning) != "0\n"; }

class FailureTest : public EngineFixture {
 protected:
  static void SetUpTestSuite() { SharedServer().Sql("CREATE TABLE IF NOT EXISTS thing (id int)"); }
};

TEST_F(FailureTest, StopEndsTheStatementHereAndOnTheServer) {
  for (const char* const sql : {kSleep, kWork, kTalk}) {
    Open({"thing"});
    const auto connection = Connect();
    auto ending = RunBeside(*connection, sql);
    ASSERT_TRUE(Soon([] { return IsRunning(SharedServer()); })) << sql;
    const auto stopped = steady_clock::now();
    connection->Stop();
    EXPECT_LT(steady_clock::now() - stopped, milliseconds(500) * Patience());
    const Ending ended = ending.get();
    EXPECT_LT(steady_clock::now() - stopped, milliseconds(2000) * Patience()) << sql;
    ASSERT_TRUE(ended.failure) << sql;
    EXPECT_TRUE(ended.failure->interrupted) << sql;
    EXPECT_TRUE(Soon([] { return !IsRunning(SharedServer()); })) << sql;
    const auto next = connection->Run("SELECT 1", [](SqlConnection::Row) {});
    ASSERT_TRUE(next);
    EXPECT_TRUE(next->interrupted);
  }
}

TEST_F(FailureTest, StopBeforeTheStatementCounts) {
  Open({"thing"});
  const auto connection = Connect();
  connection->Stop();
  const Ending ended = RunBeside(*connection, kSleep).get();
  EXPECT_TRUE(ended.failure && ended.failure->interrupted);
  EXPECT_LT(ended.took, milliseconds(1000) * Patience());
}

// Whoever reads the rows may throw; the server must not go on for nobody.
TEST_F(FailureTest, AThrowingReaderEndsTheStatement) {
  Open({"thing"});
  auto connection = Connect();
  EXPECT_THROW(
      connection->Run(kTalk, [](SqlConnection::Row) { throw std::runtime_error("enough"); }),
      std::runtime_error);
  EXPECT_THAT(RowsOf(*connection, "SELECT 1"), ElementsAre(HasSubstr("earlier statement")));
  connection.reset();
  EXPECT_TRUE(Soon([] { return !IsRunning(SharedServer()); }));
}

TEST_F(FailureTest, TheServerKeepsThePolicysTimeToo) {
  Policy policy = PolicyOf({"thing"});
  policy.query.timeout = milliseconds(500);
  Open(SharedServer().Url("reader"), policy);
  const auto connection = Connect();
  const Ending ended = RunBeside(*connection, kSleep).get();
  ASSERT_TRUE(ended.failure);
  EXPECT_FALSE(ended.failure->interrupted);
  EXPECT_THAT(ended.failure->text, HasSubstr("statement timeout"));
  EXPECT_GE(ended.took, milliseconds(1400));
  EXPECT_LT(ended.took, milliseconds(3500) * Patience());
}

TEST_F(FailureTest, AKilledBackendIsAFailure) {
  Open({"thing"});
  const auto connection = Connect();
  auto ending = RunBeside(*connection, kSleep);
  ASSERT_TRUE(Soon([] { return IsRunning(SharedServer()); }));
  const auto killed = steady_clock::now();
  SharedServer().Sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dpsql'");
  const Ending ended = ending.get();
  EXPECT_LT(steady_clock::now() - killed, milliseconds(5000));
  ASSERT_TRUE(ended.failure);
  EXPECT_FALSE(ended.failure->interrupted);
  EXPECT_THAT(ended.failure->text, HasSubstr("administrator command"));
  EXPECT_THAT(RowsOf(*connection, "SELECT 1"), ElementsAre(HasSubstr("FAILED")));
}

TEST_F(FailureTest, AKilledServerIsAFailure) {
  PostgreSqlServer server;
  server.Sql("CREATE TABLE thing (id int)");
  Open(server.Url("postgres"), PolicyOf({"thing"}));
  const auto connection = Connect();
  auto ending = RunBeside(*connection, kSleep);
  ASSERT_TRUE(Soon([&] { return IsRunning(server); }));
  const auto killed = steady_clock::now();
  server.Signal(SIGKILL);
  const Ending ended = ending.get();
  EXPECT_LT(steady_clock::now() - killed, milliseconds(5000));
  ASSERT_TRUE(ended.failure);
  EXPECT_FALSE(ended.failure->interrupted);
  const auto again = engine_->Connect(sign_);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, "E503");
}

// It takes connections, and answers none.
TEST_F(FailureTest, AServerThatStandsStillHoldsNobody) {
  PostgreSqlServer server;
  server.Sql(
      "CREATE TABLE thing (id int); CREATE ROLE reader LOGIN PASSWORD 'x'; "
      "GRANT SELECT ON thing TO reader");
  for (const std::string& url : {server.Url("reader", "connect_timeout=30"),
                                 server.TcpUrl("reader:x", "connect_timeout=30")}) {
    Open(url, PolicyOf({"thing"}));
    auto connection = Connect();
    auto ending = RunBeside(*connection, kWork);
    ASSERT_TRUE(Soon([&] { return IsRunning(server); }));
    server.Signal(SIGSTOP);
    auto start = steady_clock::now();
    connection->Stop();
    const Ending ended = ending.get();
    connection.reset();
    EXPECT_LT(steady_clock::now() - start, milliseconds(5000));
    EXPECT_TRUE(ended.failure && ended.failure->interrupted);
    start = steady_clock::now();
    const auto again = engine_->Connect(sign_);
    EXPECT_LT(steady_clock::now() - start, milliseconds(5000));
    EXPECT_FALSE(again.ok());
    server.Signal(SIGCONT);
    EXPECT_TRUE(Soon([&] { return !IsRunning(server); }));
  }
}

// Takes connections on a port of 127.0.0.1, and answers nothing; or signs everybody in, and answers
// nothing from then on.
class MuteServer {
 public:
  explicit MuteServer(bool signs_in) : line_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(line_, any, size) != 0 || listen(line_, 8) != 0) throw std::runtime_error("no port");
    getsockname(line_, any, &size);
    port_ = ntohs(address.sin_port);
    if (signs_in) greeter_ = std::thread([this] { SignIn(); });
  }
  ~MuteServer() {
    shutdown(line_, SHUT_RDWR);
    if (greeter_.joinable()) greeter_.join();
    for (const int guest : guests_) close(guest);
    close(line_);
  }
  MuteServer(const MuteServer&) = delete;
  MuteServer& operator=(const MuteServer&) = delete;

  // With patience for a server that is slow to answer, which is not to be had after payment.
  std::string Url(const std::string& patience = "30") const {
    return "postgresql://reader@127.0.0.1:" + std::to_string(port_) +
           "/x?sslmode=disable&gssencmode=disable&connect_timeout=" + patience;
  }

  // The first guest of one that answers nothing: whether it has left.
  bool IsDeserted() {
    if (guests_.empty()) guests_.push_back(accept(line_, nullptr, nullptr));
    std::array<char, 1024> startup{};
    return recv(guests_[0], startup.data(), startup.size(), MSG_DONTWAIT) == 0;
  }

 private:
  // A message of the protocol: its kind, its length, its body.
  static std::string Message(char kind, const std::string& body) {
    return std::string(1, kind) + std::string(3, '\0') + static_cast<char>(body.size() + 4) + body;
  }

  void SignIn() {
    const std::string zero(1, '\0');
    const std::string greeting = Message('R', std::string(4, '\0')) +
                                 Message('S', "server_version" + zero + "15.4" + zero) +
                                 Message('S', "server_encoding" + zero + "UTF8" + zero) +
                                 Message('K', std::string(8, 'k')) + Message('Z', "I");
    for (int guest = accept(line_, nullptr, nullptr); guest >= 0;
         guest = accept(line_, nullptr, nullptr)) {
      guests_.push_back(guest);
      std::array<char, 1024> startup{};
      if (recv(guest, startup.data(), startup.size(), 0) <= 0) continue;
      send(guest, greeting.data(), greeting.size(), MSG_NOSIGNAL);
    }
  }

  int line_;
  int port_ = 0;
  std::vector<int> guests_;
  std::thread greeter_;
};

// A question that is paid waits for its connection; what it waits for ends.
TEST_F(FailureTest, AServerThatIsMuteHoldsNobody) {
  for (const bool signs_in : {false, true}) {
    const MuteServer server(signs_in);
    const auto engine = MakePostgreSqlEngine(server.Url(), incidents_).value();
    const auto start = steady_clock::now();
    const auto connected = engine->Connect(sign_);
    EXPECT_LT(steady_clock::now() - start, milliseconds(5000)) << signs_in;
    ASSERT_FALSE(connected.ok());
    EXPECT_EQ(connected.error().message,
              "the database could not run the query (incident i-000001)");
    EXPECT_THAT(incidents_.texts.back(), HasSubstr("did not answer"));
  }
}

// What connects is left behind then, and ends too: also where URL or environment would wait
// forever.
TEST_F(FailureTest, NobodyIsLeftWithAMuteServer) {
  for (const bool by_url : {true, false}) {
    MuteServer server(false);
    std::string url = server.Url("0");
    if (!by_url) {
      url.resize(url.rfind('&'));
      setenv("PGCONNECT_TIMEOUT", "0", 1);
    }
    const auto engine = MakePostgreSqlEngine(url, incidents_).value();
    EXPECT_FALSE(engine->Connect(sign_).ok());
    unsetenv("PGCONNECT_TIMEOUT");
    EXPECT_FALSE(server.IsDeserted()) << "libpq waits a little longer than we do";
    EXPECT_TRUE(Soon([&] { return server.IsDeserted(); })) << by_url;
  }
}

TEST_F(FailureTest, StopEndsConnecting) {
  for (const bool signs_in : {false, true}) {
    const MuteServer server(signs_in);
    const auto engine = MakePostgreSqlEngine(server.Url(), incidents_).value();
    StopSign sign;
    auto connecting =
        std::async(std::launch::async, [&] { return engine->Connect(sign).error().message; });
    EXPECT_EQ(connecting.wait_for(milliseconds(300)), std::future_status::timeout);
    const auto stopped = steady_clock::now();
    sign.Stop();
    EXPECT_EQ(connecting.get(), "the query was interrupted");
    // Where it has signed in a cancellation has its time.
    EXPECT_LT(steady_clock::now() - stopped, milliseconds(signs_in ? 3000 : 1000) * Patience());
  }
}

class PasswordTest : public FailureTest {};

TEST_F(PasswordTest, IsNeverRepeated) {
  PostgreSqlServer& server = SharedServer();
  EXPECT_EQ(RefusalOf(server.TcpUrl("reader:rose-garden-7"), {"thing"}), "");
  const auto secret = HasSubstr("horse-9");
  EXPECT_THAT(WordsOf(server.TcpUrl("reader:horse-9")),
              testing::AllOf(HasSubstr("E501"), HasSubstr("authentication failed"), Not(secret)));
  EXPECT_THAT(WordsOf(server.TcpUrl("reader", "password=horse-9")), Not(secret));
  // libpq repeats the part of a URL that it cannot read.
  for (const char* const url :
       {"postgresql://reader:horse-9%zz@127.0.0.1/x", "postgresql://reader:horse-9@[127.0.0.1/x",
        "postgresql://reader@127.0.0.1/x?password=horse-9&horse-9",
        "postgresql://a:horse-9%00@b"}) {
    EXPECT_THAT(WordsOf(url), testing::AllOf(HasSubstr("E501"), Not(secret))) << url;
  }
  // The server repeats the name of a database.
  std::string url = server.TcpUrl("reader:rose-garden-7");
  url.replace(url.rfind('/'), std::string::npos, "/rose-garden-7");
  EXPECT_THAT(WordsOf(url),
              testing::AllOf(HasSubstr("\"***\" does not exist"), Not(HasSubstr("rose-garden"))));
}

TEST_F(PasswordTest, ComesFromWhereLibpqLooks) {
  PostgreSqlServer& server = SharedServer();
  setenv("PGPASSWORD", "rose-garden-7", 1);
  EXPECT_EQ(RefusalOf(server.TcpUrl("reader"), {"thing"}), "");
  setenv("PGPASSWORD", "horse-9", 1);
  EXPECT_THAT(WordsOf(server.TcpUrl("reader")),
              testing::AllOf(HasSubstr("E501"), Not(HasSubstr("horse-9"))));
  unsetenv("PGPASSWORD");
  const TempFolder folder;
  const std::string file = folder / "pass";
  std::ofstream(file) << "*:*:*:reader:rose-garden-7\n";
  chmod(file.c_str(), 0600);
  setenv("PGPASSFILE", file.c_str(), 1);
  EXPECT_EQ(RefusalOf(server.TcpUrl("reader"), {"thing"}), "");
  unsetenv("PGPASSFILE");
}

TEST_F(FailureTest, ATextInAnotherEncodingIsRefused) {
  SharedServer().Sql(
      "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc "
      "TEMPLATE template0");
  std::string url = SharedServer().Url("reader");
  url.replace(url.rfind('/'), std::string::npos, "/latin");
  EXPECT_THAT(RefusalOf(url, {"thing"}), HasSubstr("E501 the database does not keep its texts"));
}

TEST_F(FailureTest, AnErrorOfTheServerIsForTheLogAlone) {
  Open({"thing"});
  const auto connection = Connect();
  const auto failure =
      connection->Run("SELECT CAST('private ' || 1 AS int4)", [](SqlConnection::Row) {});
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->text, HasSubstr("private 1"));
  EXPECT_FALSE(failure->interrupted);
}

}  // namespace
}  // namespace dpsql
