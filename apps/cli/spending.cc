#include "spending.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

namespace dpsql::cli {
namespace {

constexpr int kLookEveryMs = 50;

// The terminal itself: stdin may be a script, stdout a file.
class Terminal {
 public:
  Terminal() : file_(open("/dev/tty", O_RDWR | O_CLOEXEC)) {}
  ~Terminal() {
    if (is_open()) close(file_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool is_open() const { return file_ >= 0; }

  bool Write(std::string_view text) const {
    return write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }

  // The first line that is typed; empty where it was interrupted or ended.
  std::string ReadLine(const InterruptWatcher& watcher) const {
    std::string line;
    while (!watcher.interrupted()) {
      pollfd waiting{.fd = file_, .events = POLLIN, .revents = 0};
      if (poll(&waiting, 1, kLookEveryMs) <= 0) continue;
      char typed = 0;
      if (read(file_, &typed, 1) != 1) return "";
      if (typed == '\n') return line;
      line += typed;
    }
    return "";
  }

 private:
  int file_;
};

std::string Rounded(double number) {
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%.3g", number);
  return {text, static_cast<std::size_t>(size)};
}

std::string PriceText(const Price& price) {
  return "ε " + Rounded(price.epsilon) + ", δ " + Rounded(price.delta);
}

}  // namespace

bool CanAsk() { return Terminal().is_open(); }

bool AskToSpend(const Explanation& explanation, const InterruptWatcher& watcher) {
  const Terminal terminal;
  const std::string question = "spend " + PriceText(explanation.price) + " (left ε " +
                               Rounded(explanation.remaining.epsilon) + ")? [y/N] ";
  if (!terminal.is_open() || !terminal.Write(question)) return false;
  const std::string said = terminal.ReadLine(watcher);
  if (watcher.interrupted()) terminal.Write("\n");
  return said == "y" || said == "Y" || said == "yes";
}

void TellSolvedPrice(const Explanation& explanation) {
  std::cerr << "± the target needs " << PriceText(explanation.price) << "; left ε "
            << Rounded(explanation.remaining.epsilon) << "\n";
}

}  // namespace dpsql::cli
