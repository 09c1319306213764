#include "backend/line_watch.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace dpsql {
namespace {

using std::chrono::milliseconds;

constexpr int kKeepaliveSeconds = 1;
constexpr int kKeepalives = 3;
// A keepalive is sent after a second. One that has no answer by now may be lost.
constexpr milliseconds kSuspicious{1500};
// As soon as the kernel sends anew for the one before.
constexpr milliseconds kBetweenTries{1000};
// Who has not looked for so long was stopped.
constexpr milliseconds kStopped{2000};

// Errors of a connection that mean nobody answered.
bool IsSilence(int error) {
  constexpr std::array kNobody = {ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN};
  return std::find(kNobody.begin(), kNobody.end(), error) != kNobody.end();
}

}  // namespace

class LineWatch::Socket {
 public:
  // kNothing: this machine has no socket, port or memory for it, which says nothing of the line.
  enum class State { kWaits, kConnected, kAnswered, kSilent, kNothing };

  explicit Socket(const ServerLine::Address& to)
      : descriptor_(
            socket(to.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP)) {
    if (descriptor_ < 0) return;
    Set(SOL_SOCKET, SO_KEEPALIVE, 1);
    Set(IPPROTO_TCP, TCP_KEEPIDLE, kKeepaliveSeconds);
    Set(IPPROTO_TCP, TCP_KEEPINTVL, kKeepaliveSeconds);
    Set(IPPROTO_TCP, TCP_KEEPCNT, kKeepalives);
    const auto* const address = reinterpret_cast<const sockaddr*>(&to.bytes);
    if (connect(descriptor_, address, to.size) == 0 || errno == EINPROGRESS) {
      began_ = State::kWaits;
    } else if (errno == ECONNREFUSED) {
      began_ = State::kAnswered;
    } else if (IsSilence(errno)) {
      began_ = State::kSilent;
    }
  }
  ~Socket() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // How connecting went at once.
  State began() const { return began_; }

  struct Sight {
    State state = State::kNothing;
    milliseconds silence{0};  // since the last packet of the other side
  };
  Sight Look() const {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(descriptor_, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
    if (info.tcpi_state == TCP_SYN_SENT) return {.state = State::kWaits};
    if (info.tcpi_state == TCP_ESTABLISHED) {
      return {.state = State::kConnected, .silence = milliseconds(info.tcpi_last_ack_recv)};
    }
    int error = 0;
    size = sizeof error;
    getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
    return {.state = IsSilence(error) ? State::kSilent : State::kAnswered};
  }

 private:
  void Set(int level, int option, int value) const {
    setsockopt(descriptor_, level, option, &value, sizeof value);
  }

  int descriptor_;
  State began_ = State::kNothing;
};

LineWatch::LineWatch(ServerLine& line)
    : line_(line), addresses_(line.Find()), life_(Clock::now()), looked_(life_) {}

LineWatch::~LineWatch() = default;

bool LineWatch::IsSilent(Clock::time_point life) {
  const Clock::time_point now = Clock::now();
  if (now - std::exchange(looked_, now) > kStopped) life_ = now;
  if (line_.was_reached()) NoteAnswer(life);
  LookAtAll(now);
  if (now - life_ >= kSilence) return true;
  const bool well = !sockets_.empty() && now - life_ < kSuspicious;
  if (!well && now - tried_ >= kBetweenTries) Try(now);
  return false;
}

// Of those that answer the first is kept alone; what has ended goes.
void LineWatch::LookAtAll(Clock::time_point now) {
  std::vector<std::unique_ptr<Socket>> kept;
  bool answers = false;
  for (std::unique_ptr<Socket>& socket : sockets_) {
    const Socket::Sight sight = socket->Look();
    const bool connected = sight.state == Socket::State::kConnected;
    if (connected) NoteAnswer(now - sight.silence);
    if (sight.state == Socket::State::kAnswered && line_.was_reached()) NoteAnswer(now);
    if (connected && sight.silence < kSuspicious && !answers) {
      answers = true;
      kept.clear();
      line_.NoteReached(addresses_);
    }
    if (connected || sight.state == Socket::State::kWaits) kept.push_back(std::move(socket));
    if (answers) kept.resize(1);
  }
  sockets_ = std::move(kept);
}

// To all addresses at once: nobody knows which one the driver took.
void LineWatch::Try(Clock::time_point now) {
  tried_ = now;
  bool tells = !sockets_.empty();
  for (const ServerLine::Address& address : addresses_) {
    auto socket = std::make_unique<Socket>(address);
    const Socket::State began = socket->began();
    tells = tells || began != Socket::State::kNothing;
    if (began == Socket::State::kAnswered && line_.was_reached()) NoteAnswer(now);
    if (began == Socket::State::kWaits) sockets_.push_back(std::move(socket));
  }
  if (!tells) life_ = now;
}

void LineWatch::NoteAnswer(Clock::time_point when) { life_ = std::max(life_, when); }

}  // namespace dpsql
