#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace dpsql {

// A port of this machine that takes connections and says nothing. Once it is mute it takes no more
// and refuses none: what comes is dropped, as on a line that is dead.
class QuietListener {
 public:
  QuietListener() : listener_(NewSocket()) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* const bound = reinterpret_cast<sockaddr*>(&address_);
    if (bind(listener_, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0 ||
        listen(listener_, kBacklog) != 0 || getsockname(listener_, bound, &size) != 0) {
      throw std::runtime_error("no port of this machine is to be had");
    }
  }
  ~QuietListener() {
    Close();
    for (const int one : waiting_) close(one);
  }
  QuietListener(const QuietListener&) = delete;
  QuietListener& operator=(const QuietListener&) = delete;

  std::string port() const { return std::to_string(ntohs(address_.sin_port)); }

  // From now on connections are refused.
  void Close() {
    if (listener_ >= 0) close(listener_);
    listener_ = -1;
  }

  // Nobody accepts, so that the queue is full after a few.
  void GoMute() {
    listen(listener_, 0);
    bool taken = true;
    while (taken) {
      waiting_.push_back(NewSocket());
      connect(waiting_.back(), reinterpret_cast<const sockaddr*>(&address_), sizeof address_);
      pollfd one{.fd = waiting_.back(), .events = POLLOUT};
      taken = poll(&one, 1, kPatienceMilliseconds) == 1;
    }
  }

 private:
  static constexpr int kBacklog = 64;
  static constexpr int kPatienceMilliseconds = 200;

  static int NewSocket() { return socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

  int listener_;
  sockaddr_in address_{};
  std::vector<int> waiting_;
};

}  // namespace dpsql
