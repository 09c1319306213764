#include "noise/bernoulli.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "support/chacha_random_source.h"
#include "support/scripted_random_source.h"

namespace dpsql {
namespace {

bool Coin(UInt128 threshold, unsigned bits, std::vector<std::uint32_t> script) {
  const std::size_t told = script.size();
  ScriptedRandomSource source(std::move(script));
  WordStream words(source, 1);
  const bool drawn = BernoulliBelow(threshold, bits, words);
  EXPECT_EQ(words.taken(), told);
  return drawn;
}

TEST(BernoulliTest, DecidedByTheFirstDigitThatDiffers) {
  const UInt128 third = (UInt128{0x55555555} << 88) | (UInt128{0x12345678} << 56) |
                        (UInt128{0x9abcdef0} << 24) | 0xfedcba;
  EXPECT_TRUE(Coin(third, 120, {0x55555554}));
  EXPECT_FALSE(Coin(third, 120, {0x55555556}));
  EXPECT_TRUE(Coin(third, 120, {0x55555555, 0x12345677}));
  EXPECT_TRUE(Coin(third, 120, {0x55555555, 0x12345678, 0x9abcdeef}));
  EXPECT_TRUE(Coin(third, 120, {0x55555555, 0x12345678, 0x9abcdef0, 0xfedcb9ff}));
  EXPECT_FALSE(Coin(third, 120, {0x55555555, 0x12345678, 0x9abcdef0, 0xfedcba00}));
}

// A number below 2^-bits is a head of the smallest probability, one that is not is none.
TEST(BernoulliTest, TheSmallestAndTheLargestProbability) {
  EXPECT_TRUE(Coin(1, 127, {0, 0, 0, 1}));
  EXPECT_FALSE(Coin(1, 127, {0, 0, 0, 2}));
  EXPECT_TRUE(Coin(1, 64, {0, 0}));
  EXPECT_FALSE(Coin(1, 64, {0, 2}));
}

TEST(BernoulliTest, ZeroAndOneAreCertainAndTakeAWordToo) {
  EXPECT_TRUE(Coin(UInt128{1} << 120, 120, {0xffffffff}));
  EXPECT_TRUE(Coin(1, 0, {0xffffffff}));
  EXPECT_FALSE(Coin(0, 120, {0}));
  EXPECT_FALSE(Coin(0, 0, {1}));
  EXPECT_FALSE(
      Coin((UInt128{1} << 127) - 1, 127, {0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe}));
}

TEST(BernoulliTest, WhatIsNoProbabilityIsABug) {
  EXPECT_THROW(Coin((UInt128{1} << 120) + 1, 120, {}), Bug);
  EXPECT_THROW(Coin(2, 0, {}), Bug);
  EXPECT_THROW(Coin(1, 128, {}), Bug);
}

// From tests/statistical/discrete_known_answers.py. The last two thresholds are the first two words
// and one more: the first coin needs its second digit, and falls either way.
TEST(BernoulliTest, KnownAnswersBitForBit) {
  struct Known {
    UInt128 threshold;
    unsigned bits;
    std::vector<bool> coins;
    std::uint64_t words;
  };
  constexpr std::uint64_t kFirstWords = 0xade0b876903df1a0;
  const Known all[] = {{(UInt128{1} << 63) + 1, 64, {0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1}, 12},
                       {(UInt128{1} << 120) / 3, 120, {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1}, 12},
                       {UInt128{kFirstWords} + 1, 64, {1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0}, 13},
                       {UInt128{kFirstWords}, 64, {0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0}, 13}};
  for (const Known& known : all) {
    ChaChaRandomSource source(0);
    const std::vector<UInt128> thresholds(known.coins.size(), known.threshold);
    EXPECT_EQ(Bernoulli(source).Draw(thresholds, known.bits), known.coins);
    ChaChaRandomSource again(0);
    WordStream words(again, 1);
    for (const bool coin : known.coins) {
      EXPECT_EQ(BernoulliBelow(known.threshold, known.bits, words), coin);
    }
    EXPECT_EQ(words.taken(), known.words);
  }
}

}  // namespace
}  // namespace dpsql
