// The laws of the product's noise, from the operating system's randomness, at a size that sees an
// error of six in ten thousand in the standard deviation of a normal law, and of one in a thousand
// in the chance of a value. Six checks of each law (statistical/law_tally.h) share its part of the
// audit's false alarms.
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/random_source.h"
#include "noise/discrete_gaussian.h"
#include "noise/discrete_laplace.h"
#include "noise/noise.h"
#include "statistical/law_tally.h"
#include "statistical/verdicts.h"

namespace dpsql {
namespace {

constexpr std::size_t kBatch = 1'000'000;
constexpr std::size_t kBatches = 100;
constexpr double kShareLeast = 1000.0 / (kBatch * kBatches);

using Draw = std::function<void(std::span<Int128>)>;

Verdict Judge(const std::string& name, const SymmetricLaw& law, double each, const Draw& draw) {
  LawTally tally(law, 500, kShareLeast);
  std::vector<Int128> draws(kBatch);
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    draw(draws);
    tally.Add(draws);
  }
  std::string wrong;
  for (const std::string& failure : tally.Failures(each / LawTally::kWays)) {
    wrong += (wrong.empty() ? "" : "; ") + failure;
  }
  return {.name = name + " of scale " + Digits(law.scale),
          .result = wrong.empty() ? "follows its law" : wrong,
          .power = "sd " + Digits(100 * tally.LeastFound(), 2) + " % too small: 0.99",
          .passed = wrong.empty(),
          .false_alarm = each};
}

TEST(NoiseLawAudit, EveryLaw) {
  const auto noise = MakeNoise();
  const auto random = MakeRandomSource();
  const GridSigma products[] = {{.numerator = 77, .bits = 8},
                                {.numerator = 5, .bits = 0},
                                {.numerator = 1'000'003, .bits = 0},
                                RoundSigmaUp(0x1p44)};
  const LaplaceRate rates[] = {{5, 1}, {2, 15}, {3, 1 << 30}, {7, std::uint64_t{1} << 42}};
  const GridSigma sigmas[] = {{.numerator = 77, .bits = 8},
                              {.numerator = 5, .bits = 0},
                              {.numerator = (std::uint64_t{1} << 30) + 1, .bits = 8}};
  Verdicts verdicts("Laws of noise", 11);
  const auto judge = [&](const char* name, const SymmetricLaw& law, const Draw& draw) {
    verdicts.Add(Judge(name, law, verdicts.each(), draw));
  };
  for (const GridSigma sigma : products) {
    judge("the product's", RoundedGaussianLaw(sigma),
          [&](std::span<Int128> out) { noise->Draw(sigma, out); });
  }
  for (const LaplaceRate rate : rates) {
    judge("discrete Laplace", DiscreteLaplaceLaw(rate),
          [&](std::span<Int128> out) { DiscreteLaplace(*random).Draw(rate, out); });
  }
  for (const GridSigma sigma : sigmas) {
    judge("discrete Gaussian", DiscreteGaussianLaw(sigma),
          [&](std::span<Int128> out) { DiscreteGaussian(*random).Draw(sigma, out); });
  }
  EXPECT_EQ(verdicts.Finish(), 0);
}

}  // namespace
}  // namespace dpsql
