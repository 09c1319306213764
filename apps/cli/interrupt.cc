#include "interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <system_error>
#include <utility>

#include "dpsql/ledger.h"
#include "dpsql/session.h"

namespace dpsql::cli {
namespace {

constexpr int kInterruptedExit = 130;

sigset_t SetOf(std::initializer_list<int> members) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : members) sigaddset(&signals, signal);
  return signals;
}

// What ends the program, where it was not started to outlive that, as by nohup.
sigset_t EndingSignals() {
  sigset_t signals = SetOf({});
  for (const int ending : {SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action {};
    sigaction(ending, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&signals, ending);
  }
  return signals;
}

// These, Ctrl-C, and a signal of our own that wakes a watch when it is over.
sigset_t WatchedSignals() {
  sigset_t signals = EndingSignals();
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGUSR1);
  return signals;
}

// Stops the program as the signal does, after the line editor's handler where there is one.
// Returns when it goes on.
void Stop(const std::function<void()>& send) {
  const sigset_t signals = SetOf({SIGTSTP});
  const auto stop = [&] {
    sigset_t before;
    pthread_sigmask(SIG_UNBLOCK, &signals, &before);
    send();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  };
  CallUnlocked(stop);
}

}  // namespace

StopWatcher::StopWatcher() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the watch takes no other signal
  try {
    thread_ = std::thread([this] { Watch(); });
    sigaddset(&before, SIGTSTP);
    sigaddset(&before, SIGUSR1);
  } catch (const std::system_error&) {  // no thread to be had: Ctrl-Z does what it does elsewhere
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StopWatcher::~StopWatcher() {
  if (!thread_.joinable()) return;
  over_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
}

void StopWatcher::Watch() {
  const sigset_t signals = SetOf({SIGTSTP, SIGUSR1});
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && !over_) {
    if (signal == SIGTSTP) Stop([] { std::raise(SIGTSTP); });
  }
}

void StopGroup() {
  Stop([] { kill(0, SIGTSTP); });
}

void BlockInterrupts() {
  const sigset_t signals = WatchedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

InterruptWatcher::InterruptWatcher() {
  termios now{};
  if (tcgetattr(STDIN_FILENO, &now) == 0) terminal_ = now;
  thread_ = std::thread([this] { Watch(); });
}

InterruptWatcher::~InterruptWatcher() {
  over_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
  const sigset_t ending = EndingSignals();  // nobody waits for them any more
  pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
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
  while (sigwait(&signals, &signal) == 0 && !over_) {
    if (signal == SIGINT) {
      TakeInterrupt();
    } else if (signal != SIGUSR1) {  // which anybody may send
      EndBy(signal);
    }
  }
}

void InterruptWatcher::EndBy(int signal) const {
  // A program in the background would be stopped for touching a terminal that is another's now.
  if (terminal_ && tcgetpgrp(STDIN_FILENO) == getpgrp()) {
    tcsetattr(STDIN_FILENO, TCSANOW, &*terminal_);
  }
  RemoveSpills();
  std::signal(signal, SIG_DFL);
  const sigset_t only = SetOf({signal});
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(signal);
  _exit(kInterruptedExit);  // the first process of a container is not ended by signals
}

void InterruptWatcher::TakeInterrupt() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool idle = !stop_;
  if (idle && stays_when_idle_) return;
  if (idle || ++interrupts_ > 1) {
    RemoveSpills();
    _exit(kInterruptedExit);
  }
  stop_();
}

}  // namespace dpsql::cli
