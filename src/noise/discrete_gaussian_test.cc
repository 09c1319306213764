#include "noise/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "support/chacha_random_source.h"
#include "support/scripted_random_source.h"

namespace dpsql {
namespace {

std::vector<Int128> Drawn(std::uint64_t seed, GridSigma sigma, std::size_t count) {
  ChaChaRandomSource source(seed);
  std::vector<Int128> draws(count);
  DiscreteGaussian(source).Draw(sigma, draws);
  return draws;
}

struct Known {
  GridSigma sigma;
  std::vector<std::int64_t> values;
  std::uint64_t words;
};

// From tests/statistical/discrete_known_answers.py, which shares no code with the sampler.
const Known kKnown[] = {
    {{.numerator = 5, .bits = 0},
     {-9, -3, -4, -2, 1, -8, -2, -5, -6, -1, -6, -3, -7, -3, 0, 5},
     257},
    {{.numerator = 200, .bits = 8}, {0, 1, 0, 0, -2, -1, 1, 0, 0, 0, 0, -1, -1, 0, 0, 0}, 290},
    {{.numerator = 4429896, .bits = 0},
     {-6233656, -1836040, -1528541, 142913, -6869027, -2417185, -1970940, -3996752, 1735014,
      -2899498, -4309247, 6888846, 3600472, -426570, -3114346, -848292},
     251},
    {{.numerator = 576460752303423489, .bits = 3},
     {-93125031205815092, -83615434404127401, -20444595571662625, -8441458577120820,
      5872187016276897, 26977901182953682, -74004094861633806, -96941648318783614,
      -5979637324997424, -107266121427897125, 41679333232749806, -39890383147230845,
      37234714228866922, -18462994344562648, -28543481113898221, -54666096601882656},
     270},
};

TEST(DiscreteGaussianTest, KnownAnswersBitForBit) {
  for (const Known& known : kKnown) {
    const std::vector<Int128> draws = Drawn(0, known.sigma, known.values.size());
    ChaChaRandomSource source(0);
    WordStream words(source, 1);
    for (std::size_t i = 0; i < draws.size(); ++i) {
      EXPECT_EQ(ToString(draws[i]), std::to_string(known.values[i])) << known.sigma.value() << i;
      EXPECT_TRUE(draws[i] == DrawDiscreteGaussian(known.sigma, words));
    }
    EXPECT_EQ(words.taken(), known.words);
  }
}

TEST(DiscreteGaussianTest, TheSameSigmaWrittenOtherwiseDrawsTheSame) {
  for (const unsigned bits : {1u, 20u, 56u}) {
    EXPECT_TRUE(Drawn(3, {.numerator = 5, .bits = 0}, 5000) ==
                Drawn(3, {.numerator = std::uint64_t{5} << bits, .bits = bits}, 5000));
  }
}

// Below half a grid step nearly everything is 0, and the largest sigma wraps nowhere.
TEST(DiscreteGaussianTest, TheEndsOfTheRange) {
  for (const Int128 draw : Drawn(5, {.numerator = 1, .bits = 63}, 1000)) EXPECT_TRUE(draw == 0);
  const std::uint64_t most = (std::uint64_t{1} << 60) - 1;
  for (const Int128 draw : Drawn(5, {.numerator = most, .bits = 0}, 10000)) {
    EXPECT_TRUE(-8 * Int128{most} < draw && draw < 8 * Int128{most});  // but for 1e-11
  }
}

// k = 0, minus, i = 0: drawn anew. Then plus, and 0 has weight 1.
TEST(DiscreteGaussianTest, MinusZeroIsRejected) {
  ScriptedRandomSource source({0x10000000, 0x20000000, 1, 0,       // -0
                               0x10000000, 0x20000000, 0, 0, 7});  // +0; the word of a run
  WordStream words(source, 1);
  EXPECT_TRUE(DrawDiscreteGaussian({.numerator = 5, .bits = 0}, words) == 0);
  EXPECT_EQ(words.taken(), 9u);
}

TEST(DiscreteGaussianTest, AnImpossibleSigmaIsABug) {
  EXPECT_THROW(Drawn(1, {.numerator = 0, .bits = 0}, 1), Bug);
  EXPECT_THROW(Drawn(1, {.numerator = std::uint64_t{1} << 60, .bits = 0}, 1), Bug);
  EXPECT_THROW(Drawn(1, {.numerator = 5, .bits = 64}, 1), Bug);
  EXPECT_TRUE(Drawn(1, {.numerator = 1, .bits = 0}, 0).empty());
}

}  // namespace
}  // namespace dpsql
