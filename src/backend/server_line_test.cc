#include "backend/server_line.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

namespace dpsql {
namespace {

using Addresses = std::vector<ServerLine::Address>;

int PortOfIpv6(const Addresses& found) {
  if (found.empty() || found.front().bytes.ss_family != AF_INET6) return 0;
  return ntohs(reinterpret_cast<const sockaddr_in6*>(&found.front().bytes)->sin6_port);
}

TEST(ServerLine, ReadsHostAndPort) {
  EXPECT_EQ(PortOfIpv6(ServerLine("[::1]:77", "15002").Find()), 77);
  EXPECT_EQ(PortOfIpv6(ServerLine("[::1]", "15002").Find()), 15002);
  EXPECT_EQ(PortOfIpv6(ServerLine("::1", "15002").Find()), 15002);
  EXPECT_EQ(ServerLine("127.0.0.1:77", "15002").Find().size(), 1);
  EXPECT_FALSE(ServerLine("localhost", "15002").Find().empty());
  EXPECT_TRUE(ServerLine("no such host", "15002").Find().empty());
}

// Names cannot be looked up where the network died.
TEST(ServerLine, KnowsWhereTheServerWasReached) {
  const Addresses reached = ServerLine("[::1]:77", "1").Find();
  ServerLine line("no such host", "1");
  EXPECT_FALSE(line.was_reached());
  line.NoteReached(reached);
  EXPECT_TRUE(line.was_reached());
  EXPECT_EQ(PortOfIpv6(line.Find()), 77);
  line.FindAnew();
  EXPECT_EQ(PortOfIpv6(line.Find()), 77);
}

TEST(ServerLine, LooksForAServerThatMayHaveMoved) {
  ServerLine line("[::1]:78", "1");
  line.NoteReached(ServerLine("[::1]:77", "1").Find());
  EXPECT_EQ(PortOfIpv6(line.Find()), 77);
  line.FindAnew();
  EXPECT_EQ(PortOfIpv6(line.Find()), 78);
}

}  // namespace
}  // namespace dpsql
