#include "interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
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

InterruptWatcher::InterruptWatcher() {
  thread_ = std::thread([this] { Watch(); });
}

InterruptWatcher::~InterruptWatcher() {
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
}

InterruptWatcher::Question::Question(InterruptWatcher& watcher, std::function<void()> stop)
    : watcher_(watcher) {
  const std::lock_guard<std::mutex> lock(watcher_.mutex_);
  watcher_.stop_ = std::move(stop);
  watcher_.interrupts_ = 0;
}

InterruptWatcher::Question::~Question() {
  const std::lock_guard<std::mutex> lock(watcher_.mutex_);
  watcher_.stop_ = nullptr;
}

void InterruptWatcher::Watch() {
  const sigset_t signals = WatchedSignals();
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && signal == SIGINT) TakeInterrupt();
}

void InterruptWatcher::TakeInterrupt() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool idle = !stop_;
  if (idle && stays_when_idle_) return;
  if (idle || ++interrupts_ > 1) _exit(kInterruptedExit);
  stop_();
}

}  // namespace dpsql::cli
