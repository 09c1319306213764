#include "progress_line.h"

#include <gtest/gtest.h>

namespace dpsql::cli {
namespace {

using std::chrono::milliseconds;

TEST(ProgressLineTest, SaysStageAndTime) {
  const ProgressShown counting{.progress = {.stage = Stage::kCounting, .door = 1, .doors = 2},
                               .elapsed = milliseconds(1250)};
  EXPECT_EQ(ProgressText(counting, 79),
            "████░░░░░░░░░░░░ counting 1/2  1.2 s  Ctrl-C stops it; the budget stays spent");
  EXPECT_EQ(ProgressText(counting, 40), "████░░░░░░░░░░░░ counting 1/2  1.2 s");
  EXPECT_EQ(ProgressText(counting, 20), "counting 1/2  1.2 s");
  EXPECT_EQ(ProgressText(counting, 10), "");
}

TEST(ProgressLineTest, SaysThatItStops) {
  const ProgressShown stopping{.progress = {.stage = Stage::kSumming, .door = 1, .doors = 1},
                               .elapsed = milliseconds(900),
                               .stopping = true};
  EXPECT_EQ(ProgressText(stopping, 79),
            "█████████░░░░░░░ stopping  0.9 s  Ctrl-C again leaves at once");
}

TEST(ProgressLineTest, TheBarGrowsWithEachStage) {
  const auto full = [](Stage stage, int door) {
    const std::string text =
        ProgressText({.progress = {.stage = stage, .door = door, .doors = 3}}, 60);
    std::size_t blocks = 0;
    for (std::size_t at = text.find("█"); at != std::string::npos; at = text.find("█", at + 1)) {
      ++blocks;
    }
    return blocks;
  };
  EXPECT_EQ(full(Stage::kPaying, 0), 0U);
  EXPECT_LT(full(Stage::kPaying, 0), full(Stage::kOpening, 0));
  EXPECT_LT(full(Stage::kOpening, 0), full(Stage::kCounting, 1));
  EXPECT_LT(full(Stage::kCounting, 1), full(Stage::kSumming, 1));
  EXPECT_LT(full(Stage::kSumming, 1), full(Stage::kCounting, 2));
  EXPECT_LT(full(Stage::kSumming, 3), full(Stage::kPublishing, 0));
  EXPECT_LT(full(Stage::kPublishing, 0), 16U);
}

}  // namespace
}  // namespace dpsql::cli
