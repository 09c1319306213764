#include "progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "terminal.h"

namespace dpsql::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience(500);
constexpr milliseconds kRedrawEvery(100);
constexpr std::size_t kBarColumns = 16;
constexpr std::string_view kErase = "\r\x1b[K";

// How many stages lie behind, of how many. Each door is counted, then summed.
std::size_t StagesBehind(const Progress& progress) {
  const auto door = static_cast<std::size_t>(std::max(progress.door, 1));
  switch (progress.stage) {
    case Stage::kPaying:
      return 0;
    case Stage::kOpening:
      return 1;
    case Stage::kCounting:
      return 2 * door;
    case Stage::kSumming:
      return 2 * door + 1;
    case Stage::kPublishing:
      return 2 * static_cast<std::size_t>(progress.doors) + 2;
  }
  return 0;
}

std::string StageName(const Progress& progress) {
  const std::string which =
      " " + std::to_string(progress.door) + "/" + std::to_string(progress.doors);
  switch (progress.stage) {
    case Stage::kPaying:
      return "paying";
    case Stage::kOpening:
      return "opening the database";
    case Stage::kCounting:
      return "counting" + which;
    case Stage::kSumming:
      return "summing" + which;
    case Stage::kPublishing:
      return "publishing";
  }
  return "";
}

std::string Bar(const Progress& progress) {
  const std::size_t stages = 2 * static_cast<std::size_t>(progress.doors) + 3;
  const std::size_t full = StagesBehind(progress) * kBarColumns / stages;
  std::string bar;
  for (std::size_t i = 0; i < kBarColumns; ++i) bar += i < full ? "█" : "░";
  return bar;
}

std::string Seconds(milliseconds elapsed) {
  const auto tenths = elapsed.count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

void WriteToStderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string ProgressText(const ProgressShown& shown, std::size_t width) {
  std::string words =
      (shown.stopping ? "stopping" : StageName(shown.progress)) + "  " + Seconds(shown.elapsed);
  const std::string hint = shown.stopping ? "  Ctrl-C again leaves at once"
                                          : "  Ctrl-C stops it; the budget stays spent";
  if (words.size() > width) return "";
  if (kBarColumns + 1 + words.size() > width) return words;
  const bool roomy = kBarColumns + 1 + words.size() + hint.size() <= width;
  return Bar(shown.progress) + " " + words + (roomy ? hint : "");
}

ProgressLine::~ProgressLine() {
  Hide();
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void ProgressLine::Show(const Progress& progress) {
  if (!MovesCursor(STDERR_FILENO)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!shown_) since_ = Clock::now();
  shown_ = progress;
  if (!thread_.joinable()) thread_ = std::thread([this] { Redraw(); });
}

void ProgressLine::ShowStopping() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopping_ = true;
}

void ProgressLine::Hide() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (drawn_) WriteToStderr(kErase);
  drawn_ = false;
  shown_.reset();
}

void ProgressLine::Redraw() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ended_.wait_for(lock, kRedrawEvery, [this] { return ending_; })) {
    const auto elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - since_);
    if (!shown_ || elapsed < kPatience) continue;
    // The last column stays free: some terminals go to the next line when it is written.
    const std::size_t width = std::max<std::size_t>(TerminalWidth(STDERR_FILENO), 1) - 1;
    WriteToStderr(std::string(kErase) + ProgressText({*shown_, elapsed, stopping_}, width));
    drawn_ = true;
  }
}

}  // namespace dpsql::cli
