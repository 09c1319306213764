// The audits' own verdicts: they must pass what is right and find what is wrong. Draws here come
// from a fixed seed, so that none of this can fail by chance.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <sstream>

#include "statistical/laws.h"
#include "statistical/noise_tests.h"
#include "statistical/rate_gap.h"
#include "statistical/verdicts.h"

namespace dpsql {
namespace {

double BinomialChance(int draws, double rate, int hits) {
  return std::exp(std::lgamma(draws + 1) - std::lgamma(hits + 1) - std::lgamma(draws - hits + 1) +
                  hits * std::log(rate) + (draws - hits) * std::log1p(-rate));
}

TEST(LawsTest, MuIsThatOfTheGaussianMechanism) {
  // delta of mu = 1 at epsilon = 1, from tables of the normal law.
  EXPECT_NEAR(MuOf(1, 0.126936737), 1, 1e-8);
  EXPECT_NEAR(MuOf(1, 1e-6), 1 / 4.2247, 1e-4);
}

TEST(LawsTest, BinomialLimitsAreTheLeastThatKeepTheRate) {
  const std::int64_t many = BinomialTooMany(100, 0.05, 1e-6);
  EXPECT_LE(BinomialAtLeast(100, 0.05, many), 1e-6);
  EXPECT_GT(BinomialAtLeast(100, 0.05, many - 1), 1e-6);
  const std::int64_t few = BinomialTooFew(1000, 0.05, 1e-6);
  EXPECT_LE(BinomialAtMost(1000, 0.05, few), 1e-6);
  EXPECT_GT(BinomialAtMost(1000, 0.05, few + 1), 1e-6);
  EXPECT_EQ(BinomialTooFew(100, 0.05, 1e-6), -1);  // none at all happens in 0.6 % of runs
}

constexpr int kFewDraws = 25;

// Summed over all outcomes one by one.
double SlowChanceAtLeast(const RateGap& gap, const Rates& rates, double limit) {
  double chance = 0;
  for (int without = 0; without <= kFewDraws; ++without) {
    for (int with = 0; with <= kFewDraws; ++with) {
      if (gap.Estimate({.without = without, .with = with}) < limit) continue;
      chance += BinomialChance(kFewDraws, rates.without, without) *
                BinomialChance(kFewDraws, rates.with, with);
    }
  }
  return chance;
}

TEST(RateGapTest, ChancesAreThoseOfAllOutcomes) {
  const Rates rates = {.without = 0.3, .with = 0.7};
  for (const RateGap::Scale scale : {RateGap::Scale::kMu, RateGap::Scale::kEpsilon}) {
    const RateGap gap(scale, kFewDraws);
    for (const double limit : {0.3, 0.81, 1.05, 1.7}) {
      const double expected = SlowChanceAtLeast(gap, rates, limit);
      EXPECT_NEAR(gap.ChanceAtLeast(rates, limit), expected, 1e-9);
      EXPECT_NEAR(gap.ChanceBelow(rates, limit), 1 - expected, 1e-9);
    }
  }
}

// Of a hundred thousand draws at mu = 1: noise that is 5 % too small is found, the right one is
// not.
TEST(RateGapTest, SmallerNoiseIsFound) {
  constexpr std::int64_t kDraws = 100'000;
  const RateGap gap(RateGap::Scale::kMu, kDraws);
  const auto rates = [](double mu) {
    return Rates{.without = NormalAbove(mu / 2), .with = NormalAbove(-mu / 2)};
  };
  const double far = gap.TooFar(rates(1), 1e-8);
  const double near = gap.TooNear(rates(1), 1e-8);
  EXPECT_GT(gap.ChanceAtLeast(rates(1 / 0.95), far), 0.8);
  EXPECT_GT(gap.ChanceAtLeast(rates(1 / 0.9), far), 0.999999);
  EXPECT_LT(gap.ChanceAtLeast(rates(1), far), 1e-8);
  EXPECT_LT(gap.ChanceBelow(rates(1), near), 1e-8);
  EXPECT_GT(gap.ChanceBelow(rates(0.9), near), 0.999999);
}

// Noise of 60 questions, in the form in which another process hands it over.
class SyntheticNoise {
 public:
  static constexpr std::size_t kQuestions = 60;

  SyntheticNoise() {
    std::mt19937_64 random(20261116);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < kQuestions * NoiseSample::kWidth; ++i) {
      numbers_.push_back(normal(random));
    }
  }

  double& At(std::size_t question, std::size_t place) {
    return numbers_[question * NoiseSample::kWidth + place];
  }

  void ForEach(const std::function<void(std::size_t question, std::size_t place)>& change) {
    for (std::size_t q = 0; q < kQuestions; ++q) {
      for (std::size_t i = 0; i < NoiseSample::kWidth; ++i) change(q, i);
    }
  }

  NoiseSample Sample() const {
    std::stringstream text;
    text.precision(17);
    for (const double number : numbers_) text << number << '\n';
    return NoiseSample::Read(text);
  }

  bool Passes() const {
    const NoiseSample sample = Sample();
    Verdicts verdicts("synthetic", kTestsOfSpread + kTestsOfSigns);
    TestSpread(verdicts, NoiseKind::kGaussian, sample);
    TestSigns(verdicts, NoiseKind::kGaussian, sample, sample);
    return verdicts.passed();
  }

 private:
  std::vector<double> numbers_;
};

TEST(NoiseTestsTest, RightNoisePasses) { EXPECT_TRUE(SyntheticNoise().Passes()); }

TEST(NoiseTestsTest, NoiseThatIsTooSmallIsFound) {
  SyntheticNoise noise;
  noise.ForEach([&](std::size_t q, std::size_t i) { noise.At(q, i) *= 0.95; });
  EXPECT_FALSE(noise.Passes());
}

TEST(NoiseTestsTest, ACellWithoutNoiseIsFound) {
  SyntheticNoise noise;
  noise.ForEach([&](std::size_t q, std::size_t i) { noise.At(q, i) *= i == 700 ? 0.2 : 1; });
  EXPECT_FALSE(noise.Passes());
}

TEST(NoiseTestsTest, TwoCellsWithTheSameNoiseAreFound) {
  SyntheticNoise noise;
  noise.ForEach([&](std::size_t q, std::size_t i) {
    if (i == 700) noise.At(q, i) = -noise.At(q, 5);
  });
  EXPECT_FALSE(noise.Passes());
}

TEST(NoiseTestsTest, CoordinatesThatHaveSomethingInCommonAreFound) {
  SyntheticNoise noise;
  noise.ForEach([&](std::size_t q, std::size_t i) {
    constexpr std::size_t kCells = NoiseSample::kCells;
    if (i >= kCells && i < 2 * kCells) {
      noise.At(q, i) = 0.3 * noise.At(q, i - kCells) + std::sqrt(1 - 0.09) * noise.At(q, i);
    }
  });
  EXPECT_FALSE(noise.Passes());
}

TEST(NoiseTestsTest, AQuestionThatRepeatsAnEarlierOneIsFound) {
  SyntheticNoise noise;
  noise.ForEach([&](std::size_t q, std::size_t i) {
    if (q == 50) noise.At(q, i) = noise.At(3, i);
  });
  EXPECT_FALSE(noise.Passes());
}

TEST(NoiseTestsTest, SomethingInCommonOfAllCellsIsFound) {
  SyntheticNoise noise;
  noise.ForEach([&](std::size_t q, std::size_t i) {
    if (i > 0) noise.At(q, i) = 0.15 * noise.At(q, 0) + std::sqrt(1 - 0.0225) * noise.At(q, i);
  });
  EXPECT_FALSE(noise.Passes());
}

}  // namespace
}  // namespace dpsql
