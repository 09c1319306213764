#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace dpsql::cli {

// Keeps Ctrl-C from this thread and all that it will start; it waits for an InterruptWatcher.
void BlockInterrupts();

// Calls back, in a thread of its own, when Ctrl-C is pressed; at the second one the program ends.
// Requires: BlockInterrupts was called before any other thread was started.
class InterruptWatcher {
 public:
  explicit InterruptWatcher(std::function<void()> on_interrupt);
  ~InterruptWatcher();
  InterruptWatcher(const InterruptWatcher&) = delete;
  InterruptWatcher& operator=(const InterruptWatcher&) = delete;

 private:
  void Watch();

  std::function<void()> on_interrupt_;
  std::thread thread_;
};

}  // namespace dpsql::cli
