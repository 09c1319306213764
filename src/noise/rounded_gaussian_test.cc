#include "noise/rounded_gaussian.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "base/check.h"
#include "noise/exact_normal.h"
#include "support/chacha_random_source.h"
#include "support/scripted_random_source.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

std::vector<Int128> Drawn(std::uint64_t seed, GridSigma sigma, std::size_t count) {
  ChaChaRandomSource source(seed);
  std::vector<Int128> draws(count);
  RoundedGaussian(source).Draw(sigma, draws);
  return draws;
}

cpp_int FloorDivide(const cpp_int& numerator, const cpp_int& positive) {
  const cpp_int quotient = numerator / positive;
  return numerator < 0 && quotient * positive != numerator ? quotient - 1 : quotient;
}

// The rounding in its plainest form, in unbounded integers only.
Int128 PlainDraw(GridSigma sigma, WordStream& words) {
  ExactNormal normal;
  DrawExactNormal(words, normal);
  cpp_int prefix = normal.integer;
  for (std::uint32_t digits = 1;; ++digits) {
    prefix = prefix * (std::uint64_t{1} << 32) + normal.fraction.Digit(digits - 1, words);
    const cpp_int grid = cpp_int(1) << (sigma.bits + 32 * digits);
    cpp_int low = prefix * sigma.numerator;
    cpp_int high = low + sigma.numerator;
    if (normal.negative) {
      low.swap(high);
      low = -low;
      high = -high;
    }
    const cpp_int rounded = FloorDivide(2 * low + grid, 2 * grid);
    if (rounded == FloorDivide(2 * high + grid, 2 * grid)) return static_cast<Int128>(rounded);
  }
}

void ExpectKnownAnswers(std::uint64_t sigma, const char* values, const char* words_used) {
  const auto& vectors = TestVectors()["karney_kat"];
  const GridSigma grid = {.numerator = sigma, .bits = 0};
  const std::vector<Int128> draws = Drawn(0, grid, vectors[values].size());
  ChaChaRandomSource source(0);
  WordStream words(source, 1);
  for (std::size_t i = 0; i < draws.size(); ++i) {
    EXPECT_TRUE(draws[i] == vectors[values][i].get<std::int64_t>()) << sigma << " " << i;
    EXPECT_TRUE(draws[i] == PlainDraw(grid, words)) << sigma << " " << i;
  }
  EXPECT_EQ(words.taken(), vectors[words_used].get<std::uint64_t>());
}

TEST(RoundedGaussianTest, KnownAnswersBitForBit) {
  ExpectKnownAnswers(5, "rounded_sigma_5", "words_used_for_32");
  ExpectKnownAnswers(4429896, "rounded_sigma_4429896", "words_used_for_12");
}

TEST(RoundedGaussianTest, NarrowAndWideArithmeticAgreeWithThePlainForm) {
  const std::uint64_t most = (std::uint64_t{1} << 60) - 1;
  const GridSigma sigmas[] = {{1, 0},     {most, 0},   {most, 30},  {most, 60}, {most, 90},
                              {most, 94}, {most, 200}, {12345, 40}, {3, 1},     {most / 3, 20}};
  for (const GridSigma sigma : sigmas) {
    const std::vector<Int128> draws = Drawn(17, sigma, 1500);
    ChaChaRandomSource source(17);
    WordStream words(source, 1);
    for (const Int128 draw : draws) ASSERT_TRUE(draw == PlainDraw(sigma, words)) << sigma.value();
  }
}

TEST(RoundedGaussianTest, TheSameSigmaWrittenOtherwiseDrawsTheSame) {
  EXPECT_TRUE(Drawn(3, {.numerator = 5, .bits = 0}, 5000) ==
              Drawn(3, {.numerator = std::uint64_t{5} << 56, .bits = 56}, 5000));
}

// x = 0.8000... lies just above one half: one digit cannot tell where a negative number goes, so a
// second is drawn, and the next draw starts with the word after it.
TEST(RoundedGaussianTest, AHalfNeedsOneMoreDigit) {
  for (const std::uint32_t sign : {0u, 1u}) {
    const std::vector<std::uint32_t> script = {0x10000000, 0x20000000, 0xffffffff,
                                               0x80000000, sign,       0x12345678};
    const GridSigma sigma = {.numerator = 1, .bits = 0};
    std::vector<Int128> draws(50);
    ScriptedRandomSource source(script);
    RoundedGaussian(source).Draw(sigma, draws);
    EXPECT_TRUE(draws[0] == (sign == 1 ? -1 : 1));
    ScriptedRandomSource again(script);
    WordStream words(again, 1);
    for (const Int128 draw : draws) ASSERT_TRUE(draw == PlainDraw(sigma, words));
  }
}

TEST(RoundedGaussianTest, AnImpossibleSigmaIsABug) {
  EXPECT_THROW(Drawn(1, {.numerator = 0, .bits = 0}, 1), Bug);
  EXPECT_THROW(Drawn(1, {.numerator = std::uint64_t{1} << 60, .bits = 0}, 1), Bug);
  EXPECT_TRUE(Drawn(1, {.numerator = 1, .bits = 0}, 0).empty());
}

}  // namespace
}  // namespace dpsql
