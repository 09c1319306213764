#include "backend/server_line.h"

#include <netdb.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace dpsql {
namespace {

using Clock = std::chrono::steady_clock;

enum class Attempt { kReached, kFailed, kWaits };

// Sockets that connect at the same time.
class Attempts {
 public:
  Attempts() = default;
  ~Attempts() {
    for (const pollfd& socket : sockets_) Close(socket);
  }
  Attempts(const Attempts&) = delete;
  Attempts& operator=(const Attempts&) = delete;

  // kFailed where the machine has no way there, kReached where it has no socket to try with.
  Attempt Begin(const ServerLine::Address& to) {
    const int descriptor =
        socket(to.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
    if (descriptor < 0) return errno == EAFNOSUPPORT ? Attempt::kFailed : Attempt::kReached;
    sockets_.push_back({.fd = descriptor, .events = POLLOUT});
    const auto* const address = reinterpret_cast<const sockaddr*>(&to.bytes);
    if (connect(descriptor, address, to.size) == 0) return Attempt::kReached;
    if (errno == EINPROGRESS) return Attempt::kWaits;
    End(sockets_.back());
    return Attempt::kFailed;
  }

  // Until the first connection, the last failure, or the end.
  bool Await(Clock::time_point end) {
    const auto waits = [](const pollfd& socket) { return socket.fd >= 0; };
    while (std::any_of(sockets_.begin(), sockets_.end(), waits)) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      const int timeout = static_cast<int>(std::max<decltype(left)>(left, 0));
      const int ready = poll(sockets_.data(), sockets_.size(), timeout);
      if (ready == 0 || (ready < 0 && errno != EINTR)) return ready < 0;
      for (pollfd& socket : sockets_) {
        if (socket.fd < 0 || socket.revents == 0) continue;
        if (IsConnected(socket.fd)) return true;
        End(socket);
      }
    }
    return false;
  }

 private:
  static bool IsConnected(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }
  static void Close(const pollfd& socket) {
    if (socket.fd >= 0) close(socket.fd);
  }
  // poll passes over a negative one.
  static void End(pollfd& socket) {
    Close(socket);
    socket.fd = -1;
  }

  std::vector<pollfd> sockets_;
};

}  // namespace

ServerLine::ServerLine(const std::string& server, const std::string& default_port)
    : host_(server), port_(default_port) {
  const std::size_t bracket = server.rfind(']');
  const std::size_t colon = server.rfind(':');
  // Several colons without brackets are an address of IPv6 alone.
  const bool has_port = bracket == std::string::npos ? colon == server.find(':') : colon > bracket;
  if (colon != std::string::npos && has_port) {
    host_ = server.substr(0, colon);
    port_ = server.substr(colon + 1);
  }
  if (host_.starts_with('[') && host_.ends_with(']')) host_ = host_.substr(1, host_.size() - 2);
}

std::vector<ServerLine::Address> ServerLine::Find() const {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  if (getaddrinfo(host_.c_str(), port_.c_str(), &wanted, &first) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned(first, freeaddrinfo);
  std::vector<Address> found;
  for (const addrinfo* one = first; one != nullptr; one = one->ai_next) {
    Address& address = found.emplace_back();
    address.size =
        static_cast<socklen_t>(std::min<std::size_t>(one->ai_addrlen, sizeof address.bytes));
    std::memcpy(&address.bytes, one->ai_addr, address.size);
  }
  return found;
}

bool ServerLine::Try(const std::vector<Address>& addresses, std::chrono::milliseconds patience) {
  const Clock::time_point end = Clock::now() + patience;
  Attempts attempts;
  bool reached = false;
  for (const Address& address : addresses) {
    reached = reached || attempts.Begin(address) == Attempt::kReached;
  }
  reached = reached || attempts.Await(end);
  if (reached) reached_ = true;
  return reached;
}

}  // namespace dpsql
