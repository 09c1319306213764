#pragma once

#include <sys/socket.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace dpsql {

// The way to a server: what its name stands for, and what all connections to it have learned.
class ServerLine {
 public:
  struct Address {
    sockaddr_storage bytes{};
    socklen_t size = 0;
  };

  // `server` as in a URL: host, host:port, [host]:port.
  ServerLine(const std::string& server, const std::string& default_port);

  // All that the name stands for; none where it cannot be looked up. Those where the server was
  // reached are known at once: where the network died, no name can be looked up either. May take
  // its time before that.
  std::vector<Address> Find();

  // From any thread, as all that follows.
  void NoteReached(const std::vector<Address>& addresses);

  // For the connections to come, where the line was found dead: the server may have moved. Takes
  // its time, and what was known stays so long and where nothing is found.
  void FindAnew();

  // A server that never was reached like this may be reached by its driver all the same, through
  // a proxy for instance: nothing is known of its line.
  bool was_reached() const { return reached_; }

 private:
  std::vector<Address> LookUp() const;

  std::string host_;
  std::string port_;
  std::atomic<bool> reached_ = false;
  std::mutex mutex_;  // of `known_`
  std::vector<Address> known_;
};

}  // namespace dpsql
