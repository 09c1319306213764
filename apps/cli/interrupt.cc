#include "interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <utility>

namespace dpsql::cli {
namespace {

constexpr int kInterruptedExit = 130;

// Ctrl-C, and a signal of our own that says the watch is over.
sigset_t WatchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGUSR1);
  return signals;
}

}  // namespace

void BlockInterrupts() {
  const sigset_t signals = WatchedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

InterruptWatcher::InterruptWatcher(std::function<void()> on_interrupt)
    : on_interrupt_(std::move(on_interrupt)) {
  thread_ = std::thread([this] { Watch(); });
}

InterruptWatcher::~InterruptWatcher() {
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
}

void InterruptWatcher::Watch() {
  const sigset_t signals = WatchedSignals();
  int signal = 0;
  for (int interrupts = 0; sigwait(&signals, &signal) == 0 && signal == SIGINT;) {
    if (++interrupts > 1) _exit(kInterruptedExit);
    on_interrupt_();
  }
}

}  // namespace dpsql::cli
