#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "dpsql/session.h"

namespace dpsql::cli {

// What the line says.
struct ProgressShown {
  Progress progress;
  std::chrono::milliseconds elapsed{0};
  bool stopping = false;  // Ctrl-C was pressed
};

// The line as it is drawn, without escapes, at most `width` columns wide.
std::string ProgressText(const ProgressShown& shown, std::size_t width);

// One line on stderr that says where a question is and since when it runs, from half a second on.
// It shows stages and the clock, nothing that depends on data. Where stderr is no terminal nothing
// is drawn.
class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // The clock starts with the first stage after a Hide.
  void Show(const Progress& progress);

  // The question was told to stop, which can take a moment. From any thread.
  void ShowStopping();

  // Erases the line. Ensures: nothing is drawn until the next Show.
  void Hide();

 private:
  using Clock = std::chrono::steady_clock;

  void Redraw();

  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<Progress> shown_;
  Clock::time_point since_;
  bool stopping_ = false;
  bool drawn_ = false;
  bool ending_ = false;
  std::thread thread_;  // started by the first Show
};

}  // namespace dpsql::cli
