#include "noise/rounded_gaussian.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "noise/exact_normal.h"
#include "privacy/normal.h"
#include "support/chacha_random_source.h"
#include "support/scripted_random_source.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

// Each statistical test below raises a false alarm with at most this probability for a random seed;
// the seeds are fixed, so that a test which passes once passes always.
constexpr double kFalseAlarm = 1e-7;
constexpr std::size_t kDraws = 1'000'000;

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

// The quantile of chi-square at kFalseAlarm by Wilson and Hilferty, which errs toward fewer alarms.
double ChiSquareLimit(double degrees) {
  const double spread = 2 / (9 * degrees);
  return degrees * std::pow(1 - spread + UpperQuantile(kFalseAlarm) * std::sqrt(spread), 3);
}

// Half-integer sigma on a coarse grid, where an error of the rounding would show: each integer from
// -reach to reach has its own bin, the tails share two. Every bin expects a hundred draws or more.
void ExpectProbabilities(GridSigma sigma, int reach, std::uint64_t seed) {
  std::vector<double> seen(2 * static_cast<std::size_t>(reach) + 3);
  for (const Int128 draw : Drawn(seed, sigma, kDraws)) {
    const Int128 bin = std::clamp<Int128>(draw, -reach - 1, reach + 1) + reach + 1;
    ++seen[static_cast<std::size_t>(bin)];
  }
  double chi_square = 0;
  auto bin = seen.begin();
  for (int value = -reach - 1; value <= reach + 1; ++value) {
    const double below = value == -reach - 1 ? 1 : UpperTail((value - 0.5) / sigma.value());
    const double above = value == reach + 1 ? 0 : UpperTail((value + 0.5) / sigma.value());
    const double expected = static_cast<double>(kDraws) * (below - above);
    const double difference = *bin++ - expected;
    chi_square += difference * difference / expected;
  }
  EXPECT_LT(chi_square, ChiSquareLimit(2 * reach + 2)) << sigma.value();
}

TEST(RoundedGaussianTest, ProbabilitiesOnACoarseGrid) {
  ExpectProbabilities({.numerator = 5, .bits = 0}, 17, 101);
  ExpectProbabilities({.numerator = 3, .bits = 1}, 5, 102);
  ExpectProbabilities({.numerator = 77, .bits = 8}, 0, 103);
}

// Kolmogorov and Smirnov: P(sqrt(n) D > t) <= 2 exp(-2 t^2), also for a discrete law.
TEST(RoundedGaussianTest, DistributionOnAFineGrid) {
  const GridSigma sigma = RoundSigmaUp(1234567.89);
  std::vector<Int128> draws = Drawn(104, sigma, kDraws);
  std::sort(draws.begin(), draws.end());
  double distance = 0;
  for (std::size_t i = 0; i < draws.size(); i += 16) {
    const double x = static_cast<double>(draws[i]) / sigma.value();
    const double share = static_cast<double>(i) / static_cast<double>(kDraws);
    distance = std::max(distance, std::fabs(UpperTail(-x) - share));
  }
  EXPECT_LT(distance * std::sqrt(static_cast<double>(kDraws)),
            std::sqrt(std::log(2 / kFalseAlarm) / 2));
}

// Mean, variance, and correlation of neighbours, each a two-sided normal test; the variance of the
// rounded number is sigma^2 + 1/12 to all digits here.
void ExpectMoments(GridSigma sigma, std::uint64_t seed) {
  const std::vector<Int128> draws = Drawn(seed, sigma, kDraws);
  const double scale = std::sqrt(sigma.value() * sigma.value() + 1.0 / 12);
  double sum = 0;
  double squares = 0;
  double products = 0;
  double last = 0;
  for (const Int128 draw : draws) {
    const double x = static_cast<double>(draw) / scale;
    sum += x;
    squares += x * x - 1;
    products += x * last;
    last = x;
  }
  const double limit = UpperQuantile(kFalseAlarm / 2) * std::sqrt(static_cast<double>(kDraws));
  EXPECT_LT(std::fabs(sum), limit) << sigma.value();
  EXPECT_LT(std::fabs(squares), limit * std::sqrt(2.0)) << sigma.value();
  EXPECT_LT(std::fabs(products), limit) << sigma.value();
}

TEST(RoundedGaussianTest, MomentsOfEverySize) {
  ExpectMoments({.numerator = 5, .bits = 0}, 105);
  ExpectMoments(RoundSigmaUp(0x1p44 * 1.1), 106);
}

}  // namespace
}  // namespace dpsql
