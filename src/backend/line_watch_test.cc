#include "backend/line_watch.h"

#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>

#include <functional>
#include <optional>
#include <thread>

#include "support/patience.h"
#include "support/quiet_listener.h"

namespace dpsql {
namespace {

using Clock = LineWatch::Clock;
using std::chrono::milliseconds;

constexpr milliseconds kLongEnough(4500);

std::string At(const QuietListener& server) { return "127.0.0.1:" + server.port(); }

// After which time it was silent.
std::optional<milliseconds> SilentAfter(LineWatch& watch, Clock::duration most) {
  const Clock::time_point begin = Clock::now();
  while (Clock::now() - begin < most) {
    if (watch.IsSilent(begin)) {
      return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
    }
    std::this_thread::sleep_for(LineWatch::kBetweenLooks);
  }
  return std::nullopt;
}

bool Reaches(ServerLine& line, LineWatch& watch) {
  const Clock::time_point until = Clock::now() + std::chrono::seconds(2) * Patience();
  while (Clock::now() < until && !line.was_reached()) {
    watch.IsSilent(Clock::now());
    std::this_thread::sleep_for(milliseconds(20));
  }
  return line.was_reached();
}

TEST(LineWatch, ReachesAServer) {
  const QuietListener server;
  for (const char* host : {"127.0.0.1", "localhost"}) {
    ServerLine line(host + (":" + server.port()), "1");
    LineWatch watch(line);
    EXPECT_FALSE(watch.is_blind());
    EXPECT_TRUE(Reaches(line, watch)) << host;
  }
  ServerLine nowhere("no such host", "1");
  EXPECT_TRUE(LineWatch(nowhere).is_blind());
}

// One of them is enough: nobody knows which one the driver took.
TEST(LineWatch, TriesAllAddresses) {
  QuietListener mute;
  mute.GoMute();
  const QuietListener server;
  ServerLine line(At(server), "1");
  auto addresses = ServerLine(At(mute), "1").Find();
  const auto good = line.Find();
  addresses.insert(addresses.end(), good.begin(), good.end());
  line.NoteReached(addresses);
  LineWatch watch(line);
  EXPECT_EQ(SilentAfter(watch, kLongEnough), std::nullopt);
}

// The queue of a server that stands still is full at some time.
TEST(LineWatch, NeedsNoOtherConnectionWhileOneAnswers) {
  QuietListener server;
  ServerLine line(At(server), "1");
  LineWatch watch(line);
  ASSERT_TRUE(Reaches(line, watch));
  server.GoMute();
  EXPECT_EQ(SilentAfter(watch, kLongEnough), std::nullopt);
}

// A proxy that is about to end lives on for those that it has.
TEST(LineWatch, TakesAnEndAndARefusalForAnAnswer) {
  QuietListener server;
  ServerLine line(At(server), "1");
  LineWatch watch(line);
  ASSERT_TRUE(Reaches(line, watch));
  server.Close();
  EXPECT_EQ(SilentAfter(watch, kLongEnough), std::nullopt);
}

TEST(LineWatch, IsSilentWhereNobodyAnswers) {
  QuietListener server;
  ServerLine line(At(server), "1");
  line.NoteReached(line.Find());
  server.GoMute();
  LineWatch watch(line);
  const auto silent = SilentAfter(watch, kLongEnough * Patience());
  ASSERT_TRUE(silent);
  EXPECT_GE(*silent, LineWatch::kSilence);
}

TEST(LineWatch, TakesWhatComesInAnotherWayForLife) {
  QuietListener server;
  ServerLine line(At(server), "1");
  line.NoteReached(line.Find());
  server.GoMute();
  LineWatch watch(line);
  const Clock::time_point until = Clock::now() + kLongEnough;
  while (Clock::now() < until) {
    EXPECT_FALSE(watch.IsSilent(Clock::now() - milliseconds(500)));
    std::this_thread::sleep_for(LineWatch::kBetweenLooks);
  }
}

// To an address of one link, without the link, this machine does not even begin.
TEST(LineWatch, HearsNothingInAnErrorOfThisMachine) {
  ServerLine line("[fe80::1]:77", "1");
  line.NoteReached(line.Find());
  LineWatch watch(line);
  ASSERT_FALSE(watch.is_blind());
  EXPECT_EQ(SilentAfter(watch, kLongEnough), std::nullopt);
}

// Who is refused from the start may not be meant to come like this.
TEST(LineWatch, GivesUpWhereTheServerWasNeverReached) {
  QuietListener server;
  server.Close();
  ServerLine line(At(server), "1");
  LineWatch watch(line);
  EXPECT_TRUE(SilentAfter(watch, kLongEnough * Patience()));
  EXPECT_FALSE(line.was_reached());
}

bool SetLoopback(bool up) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{.ifr_ifrn = {.ifrn_name = "lo"}, .ifr_ifru = {}};
  request.ifr_flags = static_cast<short>(up ? IFF_UP : 0);
  const bool done = ioctl(descriptor, SIOCSIFFLAGS, &request) == 0;
  close(descriptor);
  return done;
}

// Holds a connection for a while, in a thread that has a network of its own. False where it may not
// have one.
bool HoldInALoneNetwork(const std::function<void(LineWatch&)>& then) {
  bool alone = false;
  std::thread([&] {
    alone = unshare(CLONE_NEWNET) == 0 && SetLoopback(true);
    if (!alone) return;
    const QuietListener server;
    ServerLine line(At(server), "1");
    LineWatch watch(line);
    ASSERT_TRUE(Reaches(line, watch));
    EXPECT_EQ(SilentAfter(watch, milliseconds(1200)), std::nullopt);
    then(watch);
  }).join();
  return alone;
}

TEST(LineWatch, IsSilentWhereTheLineDied) {
  const bool alone = HoldInALoneNetwork([](LineWatch& watch) {
    ASSERT_TRUE(SetLoopback(false));
    const auto silent = SilentAfter(watch, kLongEnough * Patience());
    ASSERT_TRUE(silent);
    EXPECT_GE(*silent, LineWatch::kSilence);
  });
  if (!alone) GTEST_SKIP() << "no network of its own is to be had";
}

// Two keepalives are lost; the third one and a new connection are not.
TEST(LineWatch, OutlivesALossOfPackets) {
  const bool alone = HoldInALoneNetwork([](LineWatch& watch) {
    ASSERT_TRUE(SetLoopback(false));
    std::thread repair([] {
      std::this_thread::sleep_for(milliseconds(2100));
      SetLoopback(true);
    });
    EXPECT_EQ(SilentAfter(watch, kLongEnough), std::nullopt);
    repair.join();
  });
  if (!alone) GTEST_SKIP() << "no network of its own is to be had";
}

}  // namespace
}  // namespace dpsql
