#include "noise/exact_normal.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "support/chacha_random_source.h"
#include "support/scripted_random_source.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

std::uint32_t HexOf(const nlohmann::json& text) {
  return static_cast<std::uint32_t>(std::stoul(text.get<std::string>(), nullptr, 16));
}

TEST(ExactNormalTest, TheTestStreamIsChaCha20) {
  ChaChaRandomSource source(0);
  std::array<std::uint32_t, 4> words;
  source.Fill(words);
  const auto& expected = TestVectors()["karney_kat"]["first_words"];
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], HexOf(expected[i]));
}

TEST(ExactNormalTest, KnownAnswersBitForBit) {
  const auto& vectors = TestVectors()["karney_kat"];
  ChaChaRandomSource source(0);
  WordStream words(source, 1);
  ExactNormal normal;
  for (const auto& expected : vectors["normal_sign_k_digit0"]) {
    DrawExactNormal(words, normal);
    EXPECT_EQ(normal.negative, expected[0].get<int>() == 1);
    EXPECT_EQ(normal.integer, expected[1].get<std::uint32_t>());
    EXPECT_EQ(normal.fraction.Digit(0, words), HexOf(expected[2]));
  }
  EXPECT_EQ(words.taken(), vectors["words_used_for_8"].get<std::uint64_t>());
}

// Blocks of any size hand out the same words: what is drawn does not depend on how it is fetched.
TEST(ExactNormalTest, BlocksDoNotChangeTheWords) {
  ChaChaRandomSource source_a(5);
  ChaChaRandomSource source_b(5);
  WordStream small(source_a, 1);
  WordStream large(source_b, 1 << 20);
  for (int i = 0; i < 20000; ++i) ASSERT_EQ(small.Next(), large.Next());
  EXPECT_EQ(small.taken(), 20000u);
  EXPECT_EQ(large.taken(), 20000u);
}

// A digit that was drawn to break a tie is a digit of the result and is never drawn anew.
TEST(ExactNormalTest, DigitsThatBreakATieBelongToTheNumber) {
  ScriptedRandomSource source({0x10000000, 0x20000000,  // the integer part is 0
                               0x55555555, 0x55555555, 7,
                               5,    // z ties with x, then 7 is not below 5
                               1});  // negative
  WordStream words(source, 1);
  ExactNormal normal;
  DrawExactNormal(words, normal);
  EXPECT_TRUE(normal.negative);
  EXPECT_EQ(normal.integer, 0u);
  EXPECT_EQ(normal.fraction.Digit(0, words), 0x55555555u);
  EXPECT_EQ(normal.fraction.Digit(1, words), 5u);
  EXPECT_EQ(words.taken(), 7u);
}

TEST(ExactNormalTest, AStreamThatNeverDecidesIsABugNotALoop) {
  ScriptedRandomSource source(std::vector<std::uint32_t>(1000, 0x40000000));
  WordStream words(source, 1);
  ExactNormal normal;
  EXPECT_THROW(DrawExactNormal(words, normal), Bug);
}

}  // namespace
}  // namespace dpsql
