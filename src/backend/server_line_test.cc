#include "backend/server_line.h"

#include <gtest/gtest.h>

#include "support/patience.h"
#include "support/quiet_listener.h"

namespace dpsql {
namespace {

constexpr std::chrono::milliseconds kPatience(300);

bool Reaches(ServerLine& line) { return line.Try(line.Find(), kPatience * Patience()); }

TEST(ServerLine, IsWellWhereAConnectionIsTaken) {
  const QuietListener server;
  for (const char* host : {"127.0.0.1", "localhost"}) {
    ServerLine line(host + (":" + server.port()), "1");
    EXPECT_FALSE(line.was_reached());
    EXPECT_TRUE(Reaches(line)) << host;
    EXPECT_TRUE(line.was_reached());
  }
}

TEST(ServerLine, ReadsHostAndPort) {
  const QuietListener server;
  ServerLine line("127.0.0.1", server.port());
  EXPECT_TRUE(Reaches(line));
  const auto port_of = [](const std::vector<ServerLine::Address>& found) {
    if (found.empty() || found.front().bytes.ss_family != AF_INET6) return 0;
    return static_cast<int>(
        ntohs(reinterpret_cast<const sockaddr_in6*>(&found.front().bytes)->sin6_port));
  };
  EXPECT_EQ(port_of(ServerLine("[::1]:77", "15002").Find()), 77);
  EXPECT_EQ(port_of(ServerLine("[::1]", "15002").Find()), 15002);
  EXPECT_EQ(port_of(ServerLine("::1", "15002").Find()), 15002);
  EXPECT_TRUE(ServerLine("no such host", "15002").Find().empty());
}

// One of them is enough: nobody knows which one the driver took.
TEST(ServerLine, TriesAllAddresses) {
  QuietListener dead;
  dead.GoMute();
  const QuietListener server;
  ServerLine line("127.0.0.1:" + server.port(), "1");
  auto addresses = ServerLine("127.0.0.1:" + dead.port(), "1").Find();
  EXPECT_FALSE(line.Try(addresses, kPatience));
  const auto good = line.Find();
  addresses.insert(addresses.end(), good.begin(), good.end());
  EXPECT_TRUE(line.Try(addresses, kPatience * Patience()));
}

TEST(ServerLine, IsDeadWhereNobodyAnswersOrAllAreRefused) {
  QuietListener server;
  ServerLine line("127.0.0.1:" + server.port(), "1");
  EXPECT_TRUE(Reaches(line));
  server.GoMute();
  EXPECT_FALSE(Reaches(line));
  server.Close();
  EXPECT_FALSE(Reaches(line));
  EXPECT_FALSE(line.Try({}, kPatience));
  EXPECT_TRUE(line.was_reached());
}

}  // namespace
}  // namespace dpsql
