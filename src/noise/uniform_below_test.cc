#include "noise/uniform_below.h"

#include <gtest/gtest.h>

#include "support/scripted_random_source.h"

namespace dpsql {
namespace {

TEST(UniformBelowTest, TheIncompleteLastRoundIsRejected) {
  ScriptedRandomSource source({0xffffffff, 0xfffffffe, 0xffffffff, 5});
  WordStream words(source, 1);
  EXPECT_EQ(UniformBelow32(3, words), 2u);  // 2^32 - 1 = 3 * 1431655765 is one too many
  EXPECT_EQ(words.taken(), 2u);
  EXPECT_EQ(UniformBelow32(4, words), 3u);  // a power of two rejects nothing
  EXPECT_EQ(UniformBelow64(7, words), 5u);
  EXPECT_EQ(words.taken(), 4u);
}

TEST(UniformBelowTest, TwoWordsBeyond32Bits) {
  const std::uint64_t count = (std::uint64_t{1} << 63) + 1;  // half of all attempts are rejected
  ScriptedRandomSource source({0x80000000, 1, 0x80000000, 0, 0x12345678, 0x9abcdef0});
  WordStream words(source, 1);
  EXPECT_EQ(UniformBelow64(count, words), std::uint64_t{1} << 63);
  EXPECT_EQ(words.taken(), 4u);
  EXPECT_EQ(UniformBelow64(count, words), 0x123456789abcdef0u);
  EXPECT_EQ(UniformBelow64(1, words), 0u);
  EXPECT_EQ(words.taken(), 6u);
}

TEST(UniformBelowTest, APowerOfTwoAcceptsEveryWord) {
  ScriptedRandomSource source({0xffffffff, 0xffffffff});
  WordStream words(source, 1);
  EXPECT_EQ(UniformBelow64(std::uint64_t{1} << 40, words), (std::uint64_t{1} << 40) - 1);
  EXPECT_EQ(words.taken(), 2u);
}

}  // namespace
}  // namespace dpsql
