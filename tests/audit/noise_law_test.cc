// The laws of the product's noise, from the operating system's randomness, at a size that sees an
// error of one part in ten thousand in a standard deviation, or of one in a thousand in the chance
// of a value. Six checks of each law, each with a false-alarm rate of 1e-7
// (statistical/law_tally.h).
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <vector>

#include "base/random_source.h"
#include "noise/discrete_gaussian.h"
#include "noise/discrete_laplace.h"
#include "noise/noise.h"
#include "statistical/law_tally.h"

namespace dpsql {
namespace {

constexpr std::size_t kBatch = 1'000'000;
constexpr std::size_t kBatches = 100;
constexpr double kShareLeast = 1000.0 / (kBatch * kBatches);

void ExpectLaw(const SymmetricLaw& law, const std::function<void(std::span<Int128>)>& draw) {
  LawTally tally(law, 500, kShareLeast);
  std::vector<Int128> draws(kBatch);
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    draw(draws);
    tally.Add(draws);
  }
  tally.ExpectTheLaw("scale " + std::to_string(law.scale));
}

TEST(NoiseLawAudit, TheProductsNoise) {
  const auto noise = MakeNoise();
  const GridSigma sigmas[] = {{.numerator = 77, .bits = 8},
                              {.numerator = 5, .bits = 0},
                              {.numerator = 1'000'003, .bits = 0},
                              RoundSigmaUp(0x1p44)};
  for (const GridSigma sigma : sigmas) {
    ExpectLaw(RoundedGaussianLaw(sigma), [&](std::span<Int128> out) { noise->Draw(sigma, out); });
  }
}

TEST(NoiseLawAudit, DiscreteLaplace) {
  const auto random = MakeRandomSource();
  const LaplaceRate rates[] = {{5, 1}, {2, 15}, {3, 1 << 30}, {7, std::uint64_t{1} << 42}};
  for (const LaplaceRate rate : rates) {
    ExpectLaw(DiscreteLaplaceLaw(rate),
              [&](std::span<Int128> out) { DiscreteLaplace(*random).Draw(rate, out); });
  }
}

TEST(NoiseLawAudit, DiscreteGaussian) {
  const auto random = MakeRandomSource();
  const GridSigma sigmas[] = {{.numerator = 77, .bits = 8},
                              {.numerator = 5, .bits = 0},
                              {.numerator = (std::uint64_t{1} << 30) + 1, .bits = 8}};
  for (const GridSigma sigma : sigmas) {
    ExpectLaw(DiscreteGaussianLaw(sigma),
              [&](std::span<Int128> out) { DiscreteGaussian(*random).Draw(sigma, out); });
  }
}

}  // namespace
}  // namespace dpsql
