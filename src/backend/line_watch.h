#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "backend/server_line.h"

namespace dpsql {

// A connection that says nothing, held to see whether the line is well. A line that drops all that
// is sent looks, to who waits for an answer, like a server that works. But a system that runs
// answers the kernel's keepalive, also while the server is busy or stands still, and whatever is
// spoken on its connections.
//
// Only silence counts, and that the network knows no way: whoever refuses or ends a connection has
// answered. A packet may get lost on a line that is well. So while the held connection is silent
// new ones are tried beside it, all of which resend what was lost, and one that answers is enough.
class LineWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // A line that was silent for so long is dead. That is three keepalives, and new connections.
  static constexpr std::chrono::milliseconds kSilence{3800};
  // How often to look.
  static constexpr std::chrono::milliseconds kBetweenLooks{250};

  // May look up the name.
  explicit LineWatch(ServerLine& line);
  ~LineWatch();
  LineWatch(const LineWatch&) = delete;
  LineWatch& operator=(const LineWatch&) = delete;

  // Nothing to try: the name stands for nothing.
  bool is_blind() const { return addresses_.empty(); }

  // Whether the line is silent for kSilence now. `life` is when something else was last seen to
  // come, or had the first cause to come: silence before does not count. Nor does the time in which
  // nobody looked, as this program may have been stopped. Where the server was never reached,
  // nothing counts as life but a connection, so that trying ends.
  bool IsSilent(Clock::time_point life);

 private:
  class Socket;
  void LookAtAll(Clock::time_point now);
  void Try(Clock::time_point now);
  void NoteAnswer(Clock::time_point when);

  ServerLine& line_;
  std::vector<ServerLine::Address> addresses_;
  std::vector<std::unique_ptr<Socket>> sockets_;
  Clock::time_point life_;    // when the other side was last heard
  Clock::time_point looked_;  // when IsSilent was last called
  Clock::time_point tried_;
};

}  // namespace dpsql
