#pragma once

#include <termios.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace dpsql::cli {

// Waits for Ctrl-Z in a thread of its own, and stops the program at a moment when it holds no lock
// of a ledger, for which everybody else would wait. Requires: it is made before any other thread,
// all of which leave the signal to it.
class StopWatcher {
 public:
  StopWatcher();
  ~StopWatcher();
  StopWatcher(const StopWatcher&) = delete;
  StopWatcher& operator=(const StopWatcher&) = delete;

 private:
  void Watch();

  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// The same for this program and those that were started with it, from a thread that read Ctrl-Z
// as a key.
void StopGroup();

// Keeps Ctrl-C, and what ends the program from outside, from this thread and all that it will
// start; they wait for an InterruptWatcher.
void BlockInterrupts();

// Waits for Ctrl-C in a thread of its own, and for the signals that end the program: it ends by
// them, after what its sessions have spilled is off the disk and the terminal as it was.
// Requires: BlockInterrupts was called before any other thread was started.
class InterruptWatcher {
 public:
  InterruptWatcher();
  ~InterruptWatcher();
  InterruptWatcher(const InterruptWatcher&) = delete;
  InterruptWatcher& operator=(const InterruptWatcher&) = delete;

  // While it lives a question runs: the first Ctrl-C calls `stop`, the second ends the program.
  class Question {
   public:
    Question(InterruptWatcher& watcher, std::function<void()> stop);
    ~Question();
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

   private:
    InterruptWatcher& watcher_;
  };

  // Whether the present question was told to stop.
  bool interrupted() const { return interrupts_ > 0; }

  // A prompt reads Ctrl-C as a key; a signal that comes late, when the question has ended, must not
  // end the program then. Without a prompt it does.
  void StayWhenIdle() { stays_when_idle_ = true; }

 private:
  void Watch();
  void TakeInterrupt();
  [[noreturn]] void EndBy(int signal) const;

  std::optional<termios> terminal_;  // as it was before anything was typed
  std::mutex mutex_;                 // of stop_
  std::function<void()> stop_;
  std::atomic<int> interrupts_ = 0;
  std::atomic<bool> stays_when_idle_ = false;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace dpsql::cli
