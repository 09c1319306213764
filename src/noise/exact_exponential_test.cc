#include "noise/exact_exponential.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/chacha_random_source.h"
#include "support/scripted_random_source.h"

namespace dpsql {
namespace {

// x is drawn after the first number of its run; a run of odd length gives 1 to the integer part.
TEST(ExactExponentialTest, RejectedRunsCountTheIntegerPart) {
  ScriptedRandomSource source({0x10000000, 0x80000000, 0x20000000,  // x > z, z <= z': odd
                               0x30000000, 0x40000000, 0x20000000,  // x > z > z',
                               0x10000000, 0x50000000,              // > z'', then up: odd
                               0x90000000, 0x70000000});            // up at once: even
  WordStream words(source, 1);
  ExactExponential drawn;
  DrawExactExponential(words, drawn);
  EXPECT_EQ(drawn.integer, 2u);
  EXPECT_EQ(drawn.fraction.Digit(0, words), 0x70000000u);
  EXPECT_EQ(words.taken(), 10u);
}

TEST(ExactExponentialTest, DigitsThatBreakATieBelongToTheNumber) {
  ScriptedRandomSource source({0x55555555, 0x55555555, 7, 5});
  WordStream words(source, 1);
  ExactExponential drawn;
  DrawExactExponential(words, drawn);
  EXPECT_EQ(drawn.integer, 0u);
  EXPECT_EQ(drawn.fraction.Digit(0, words), 0x55555555u);
  EXPECT_EQ(drawn.fraction.Digit(1, words), 5u);
  EXPECT_EQ(words.taken(), 4u);
}

TEST(ExactExponentialTest, AStreamThatNeverDecidesIsABugNotALoop) {
  ScriptedRandomSource ties(std::vector<std::uint32_t>(1000, 0x40000000));
  WordStream words(ties, 1);
  ExactExponential drawn;
  EXPECT_THROW(DrawExactExponential(words, drawn), Bug);
  std::vector<std::uint32_t> odd_runs;
  for (int i = 0; i < 5000; ++i) odd_runs.insert(odd_runs.end(), {1, 3, 2});
  ScriptedRandomSource source(odd_runs);
  WordStream endless(source, 1);
  EXPECT_THROW(DrawExactExponential(endless, drawn), Bug);
}

}  // namespace
}  // namespace dpsql
