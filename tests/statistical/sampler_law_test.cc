// Every sampler against the formula of its law: chi-square, Kolmogorov and Smirnov, mean, variance,
// correlation of neighbours, low bits. Each check has a false-alarm rate of 1e-7 for a random seed;
// the seeds are fixed, so that a test which passes once passes always.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "noise/bernoulli.h"
#include "noise/discrete_gaussian.h"
#include "noise/discrete_laplace.h"
#include "noise/rounded_gaussian.h"
#include "statistical/law_tally.h"
#include "support/chacha_random_source.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr std::size_t kDraws = 1'000'000;
constexpr double kShareLeast = 100.0 / kDraws;

template <typename Sampler, typename Parameter>
void ExpectLaw(Parameter parameter, const SymmetricLaw& law, std::uint64_t seed) {
  ChaChaRandomSource source(seed);
  std::vector<Int128> draws(kDraws);
  Sampler(source).Draw(parameter, draws);
  LawTally tally(law, 60, kShareLeast);
  tally.Add(draws);
  EXPECT_THAT(tally.Failures(1e-7), testing::IsEmpty()) << "scale " << law.scale;
}

std::vector<GridSigma> Sigmas() {
  return {{.numerator = 77, .bits = 8},  // 0.3
          {.numerator = 3, .bits = 1},     {.numerator = 5, .bits = 0},
          {.numerator = 12345, .bits = 8}, RoundSigmaUp(1234567.89),
          RoundSigmaUp(0x1p44 * 1.1)};
}

TEST(SamplerLawTest, RoundedGaussian) {
  std::uint64_t seed = 100;
  for (const GridSigma sigma : Sigmas()) {
    ExpectLaw<RoundedGaussian>(sigma, RoundedGaussianLaw(sigma), ++seed);
  }
}

TEST(SamplerLawTest, DiscreteGaussian) {
  std::uint64_t seed = 200;
  for (const GridSigma sigma : Sigmas()) {
    ExpectLaw<DiscreteGaussian>(sigma, DiscreteGaussianLaw(sigma), ++seed);
  }
}

TEST(SamplerLawTest, DiscreteLaplace) {
  constexpr std::uint64_t kOne = 1;
  const LaplaceRate rates[] = {{5, 1},
                               {1, 1},
                               {7, 10},
                               {3, 100},
                               {kOne << 40, (kOne << 44) + 12345},
                               {1000003, kOne << 42},
                               {3, (kOne << 42) - 1},
                               {9, (kOne << 63) + 1}};
  std::uint64_t seed = 300;
  for (const LaplaceRate rate : rates) {
    ExpectLaw<DiscreteLaplace>(rate, DiscreteLaplaceLaw(rate), ++seed);
  }
}

// The formula that the discrete Gaussian is compared with has the published values.
TEST(SamplerLawTest, TheLawOfTheDiscreteGaussianIsThePublishedOne) {
  for (const auto& vector : TestVectors()["discrete_gaussian"]) {
    const auto sigma = static_cast<std::uint64_t>(std::sqrt(NumberOf(vector["sigma2"])));
    const SymmetricLaw law = DiscreteGaussianLaw({.numerator = sigma, .bits = 0});
    EXPECT_NEAR(law.zero(), NumberOf(vector["p0"]), 1e-13);
    EXPECT_NEAR(law.variance, NumberOf(vector["var"]), 1e-12);
    const double tail = NumberOf(vector["tail_ge"][1]);
    EXPECT_NEAR(law.at_least(vector["tail_ge"][0].get<double>()), tail, 1e-11 * tail + 1e-16);
  }
}

// Coins: the number of heads and of equal neighbours, by the normal law of the binomial.
TEST(SamplerLawTest, Bernoulli) {
  std::uint64_t seed = 400;
  for (const double p : {0.001, 0.3, 0.5, 0.9}) {
    ChaChaRandomSource source(++seed);
    const auto threshold = static_cast<UInt128>(std::ldexp(p, 120));
    const std::vector<UInt128> thresholds(kDraws, threshold);
    const std::vector<bool> drawn = Bernoulli(source).Draw(thresholds, 120);
    double heads = 0;
    double pairs = 0;
    for (std::size_t i = 0; i < kDraws; ++i) {
      heads += drawn[i] ? 1 : 0;
      pairs += i % 2 == 1 && drawn[i] && drawn[i - 1] ? 1 : 0;
    }
    const auto expect_binomial = [](double seen, double trials, double chance) {
      EXPECT_LT(std::fabs(seen - trials * chance),
                6 * std::sqrt(trials * chance * (1 - chance)) + 6);
    };
    expect_binomial(heads, kDraws, p);
    expect_binomial(pairs, kDraws / 2, p * p);
  }
}

}  // namespace
}  // namespace dpsql
