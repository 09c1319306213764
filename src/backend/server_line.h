#pragma once

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace dpsql {

// The way to a server, tried by connections that say nothing and end at once. A line that drops all
// that is sent looks, to who waits for an answer, like a server that works; a system that runs
// takes connections also while the server is busy or stands still, and whatever is spoken on them.
class ServerLine {
 public:
  struct Address {
    sockaddr_storage bytes{};
    socklen_t size = 0;
  };

  // `server` as in a URL: host, host:port, [host]:port.
  ServerLine(const std::string& server, const std::string& default_port);

  // All that the name stands for now; none where it cannot be looked up. May take its time.
  std::vector<Address> Find() const;

  // Whether one of the addresses takes a connection within this time. Where this machine itself has
  // no socket to try with, nothing speaks against the line. From any thread.
  bool Try(const std::vector<Address>& addresses, std::chrono::milliseconds patience);

  // A server that never was reached like this may be reached by its driver all the same, through
  // a proxy for instance: nothing is known of its line.
  bool was_reached() const { return reached_; }

 private:
  std::string host_;
  std::string port_;
  std::atomic<bool> reached_ = false;
};

}  // namespace dpsql
