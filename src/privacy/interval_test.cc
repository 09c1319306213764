#include "privacy/interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "base/check.h"
#include "privacy/bernstein.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kZ95 = 1.959963984540054;

// A normal sequence that is the same on every machine: the library's own is not specified.
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : random_(seed) {}

  double operator()() {
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    return radius * std::cos(2 * std::numbers::pi * Uniform());
  }

 private:
  double Uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }

  std::mt19937_64 random_;
};

bool Holds(const ErrorInterval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

TEST(IntervalTest, QuantilesMatchVectors) {
  for (const auto& known : TestVectors()["normal_isf"]) {
    const double q = NumberOf(known["q"]);
    if (q < 1e-9 || q >= 0.25) continue;
    EXPECT_NEAR(TwoSidedQuantile(1 - 2 * q), NumberOf(known["z"]), 1e-7);
    EXPECT_NEAR(TwoSidedQuantile(0.5, 4), TwoSidedQuantile(0.875), 1e-13);
  }
  EXPECT_NEAR(TwoSidedQuantile(0.95), kZ95, 1e-12);
  EXPECT_GT(TwoSidedQuantile(0.95, 2), TwoSidedQuantile(0.95));
  EXPECT_THROW(TwoSidedQuantile(1), Bug);
  EXPECT_THROW(TwoSidedQuantile(0.95, 0), Bug);
}

TEST(IntervalTest, LinearMatchesVectors) {
  const std::array<double, 1> value = {100};
  const std::array<double, 1> sd = {41.3295};
  const std::array<double, 1> weight = {1};
  const ErrorInterval interval = LinearInterval({value, sd}, weight, kZ95);
  EXPECT_NEAR(interval.high - 100, 81.004331, 1e-6);
  EXPECT_NEAR(100 - interval.low, 81.004331, 1e-6);
}

TEST(IntervalTest, LinearAddsVariancesAndTheGrid) {
  const std::array<double, 2> value = {10, 20};
  const std::array<double, 2> sd = {3, 4};
  const std::array<double, 2> weights = {2, -1};
  const ErrorInterval plain = LinearInterval({value, sd}, weights, 1);
  EXPECT_NEAR(plain.high, std::sqrt(52), 1e-12);
  EXPECT_NEAR(plain.low, -std::sqrt(52), 1e-12);
  const ErrorInterval grid = LinearInterval({value, sd, 6}, weights, 1);
  EXPECT_NEAR(grid.high, std::sqrt(52 + 5 * 3), 1e-12);
  EXPECT_THROW(LinearInterval({value, sd}, std::array<double, 1>{1}, 1), Bug);
}

TEST(IntervalTest, LinearHoldsRoundedNoiseAsOftenAsItSays) {
  // Noise of sigma 1.3 rounded to whole numbers: a lattice, so the count of hits is known only to
  // the order of its steps; the sum of nine coordinates is fine enough to see the level.
  Normals normals(1);
  const std::vector<double> sd(9, 1.3);
  const std::vector<double> weights = {1, 0.7, -0.3, 0.9, 0.11, -1.3, 0.57, 0.23, 0.05};
  int hits = 0;
  for (int n = 0; n < 20000; ++n) {
    std::vector<double> value(9);
    for (double& v : value) v = std::round(1.3 * normals());
    hits += Holds(LinearInterval({value, sd, 1}, weights, kZ95), 0) ? 1 : 0;
  }
  EXPECT_NEAR(hits / 20000.0, 0.95, 0.005);
}

// s1 / (s1 + s2) where both have independent noise of the same sigma.
NoisyRatio MeanOf(double s1, double s2, double sigma) {
  const double variance = sigma * sigma;
  return {s1, s1 + s2, variance, 2 * variance, variance};
}

TEST(IntervalTest, FiellerMatchesVectors) {
  for (const auto& known : TestVectors()["fieller_avg"]) {
    const NoisyRatio ratio =
        MeanOf(known["s1"].get<double>(), known["s2"].get<double>(), known["sigma"].get<double>());
    const auto interval = FiellerInterval(ratio, NumberOf(known["z"]));
    ASSERT_EQ(interval.has_value(), !known["lo"].is_null()) << known;
    if (!interval) continue;
    EXPECT_NEAR(interval->low, NumberOf(known["lo"]), 1e-14);
    EXPECT_NEAR(interval->high, NumberOf(known["hi"]), 1e-14);
  }
}

TEST(IntervalTest, FiellerEndsSolveTheirEquation) {
  std::mt19937_64 random(2);
  const auto uniform = [&] { return static_cast<double>(random() % 2000001) / 1e6 - 1; };
  int bounded = 0;
  for (int n = 0; n < 5000; ++n) {
    const double va = uniform() + 1, vb = uniform() / 8 + 0.125;
    const NoisyRatio ratio{3 * uniform(), 3 * uniform(), va, vb, uniform() * std::sqrt(va * vb)};
    const auto interval = FiellerInterval(ratio, kZ95);
    const double b = ratio.denominator;
    ASSERT_EQ(interval.has_value(), b * b > kZ95 * kZ95 * vb);
    if (!interval) continue;
    ++bounded;
    ASSERT_TRUE(Holds(*interval, ratio.numerator / b));
    const auto excess = [&](double t) {
      const double miss = ratio.numerator - t * b;
      return miss * miss - kZ95 * kZ95 * (va - 2 * t * ratio.covariance + t * t * vb);
    };
    const double width = interval->high - interval->low;
    const double step = 1e-3 * width;
    ASSERT_TRUE(width < 1e-9 || excess(interval->low - step) > 0);
    ASSERT_TRUE(width < 1e-9 || excess(interval->high + step) > 0);
    ASSERT_TRUE(width < 1e-9 || excess(interval->low + step) < 0);
    ASSERT_TRUE(width < 1e-9 || excess(interval->high - step) < 0);
  }
  EXPECT_GT(bounded, 1000);
  EXPECT_FALSE(FiellerInterval({1, 0, 1, 0, 0}, kZ95).has_value());
  EXPECT_THROW(FiellerInterval({1, 1, 1, 1, 2}, kZ95), Bug);
}

TEST(IntervalTest, FiellerKeepsFineDifferencesOfLargeCounts) {
  const auto interval = FiellerInterval(MeanOf(6e11, 4e11, 10), kZ95);
  const double margin = kZ95 * 10 * std::sqrt(0.36 + 0.16) / 1e12;
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR((interval->high - interval->low) / 2, margin, 2e-16);
}

double FiellerCoverage(double s1, double s2, double level) {
  Normals normals(3);
  const double z = TwoSidedQuantile(level);
  int hits = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto interval = FiellerInterval(MeanOf(s1 + 10 * normals(), s2 + 10 * normals(), 10), z);
    // No interval means the whole range, which holds every truth.
    hits += !interval || Holds(*interval, s1 / (s1 + s2)) ? 1 : 0;
  }
  return hits / 20000.0;
}

TEST(IntervalTest, FiellerHoldsAsOftenAsItSays) {
  EXPECT_NEAR(FiellerCoverage(36, 24, 0.95), 0.95, 0.006);
  EXPECT_NEAR(FiellerCoverage(600, 400, 0.95), 0.95, 0.005);
  EXPECT_NEAR(FiellerCoverage(5, 995, 0.95), 0.95, 0.005);
  EXPECT_NEAR(FiellerCoverage(600, 400, 0.8), 0.8, 0.009);
}

TEST(IntervalTest, SimulationOfALinearFunctionIsTheLinearInterval) {
  const std::array<double, 2> value = {10, 20};
  const std::array<double, 2> sd = {3, 4};
  const std::array<double, 2> weights = {2, -1};
  const NoisyVector released{value, sd, 6};
  const auto f = [](std::span<const double> v) { return 2 * v[0] - v[1]; };
  for (const double level : {0.5, 0.95}) {
    const SimulationPlan plan{level, 20000, {-kInf, kInf}};
    const ErrorInterval simulated = SimulatedInterval(released, f, plan, Normals(5));
    const ErrorInterval exact = LinearInterval(released, weights, TwoSidedQuantile(level));
    EXPECT_NEAR(simulated.low, exact.low, 0.03 * exact.high);
    EXPECT_NEAR(simulated.high, exact.high, 0.03 * exact.high);
  }
}

TEST(IntervalTest, SimulationTakesOrderStatisticsOfTheReflection) {
  // Draws 1, 2, ..., 39 around 0, squared: not symmetric, so that a missing reflection or a rank
  // off by one shows.
  const std::array<double, 1> value = {0};
  const std::array<double, 1> sd = {1};
  double next = 0;
  const auto draw = [&] { return ++next; };
  const auto square = [](std::span<const double> v) { return v[0] * v[0]; };
  const SimulationPlan plan{0.75, 39, {-kInf, kInf}};
  const ErrorInterval interval = SimulatedInterval({value, sd}, square, plan, draw);
  // The ends are the values of rank 40 * 0.125 = 5 from either side.
  EXPECT_EQ(interval.low, -35.0 * 35);
  EXPECT_EQ(interval.high, -5.0 * 5);
  EXPECT_EQ(next, 39);
  EXPECT_THROW(SimulatedInterval({value, sd}, square, {0.95, 30, {-kInf, kInf}}, draw), Bug);
}

TEST(IntervalTest, UndefinedDrawsNeverNarrowTheInterval) {
  const std::array<double, 1> value = {2};
  const std::array<double, 1> sd = {1};
  const auto f = [](std::span<const double> v) { return v[0] > 0 ? v[0] : std::nan(""); };
  const auto linear = [](std::span<const double> v) { return v[0]; };
  const SimulationPlan plan{0.9, 4000, {-100, 100}};
  const ErrorInterval whole = SimulatedInterval({value, sd}, linear, plan, Normals(6));
  const ErrorInterval holes = SimulatedInterval({value, sd}, f, plan, Normals(6));
  EXPECT_LT(holes.low, whole.low);
  EXPECT_GE(holes.high, whole.high);
  const ErrorInterval line =
      SimulatedInterval({value, sd}, f, {0.97, 4000, {-100, 100}}, Normals(6));
  EXPECT_EQ(line.low, -100);
  EXPECT_EQ(line.high, 100);
  const std::array<double, 1> undefined = {-1};
  const ErrorInterval none = SimulatedInterval({undefined, sd}, f, plan, Normals(6));
  EXPECT_EQ(none.low, -100);
  EXPECT_EQ(none.high, 100);
}

enum class Function { kRaw, kClamped };

// How often the simulated interval of a variance holds it, over fresh noise of sigma 1 in each
// weighted coordinate.
double VarianceCoverage(double n, double mean, double variance, Function function) {
  const double s2 = n * (variance + mean * mean);
  const std::array<double, 4> truth = {n * (1 - 2 * mean) + s2, 2 * (n * mean - s2), s2, 0};
  BernsteinRelease release{.shape = {2, 0}, .value = {0, 0, 0, 0}};
  release.sd = {1, 1 / std::sqrt(3.5), 1, 1};
  const ValueRange range = NaturalRange(release, Moment::kVarianceX);
  const auto f = [&](std::span<const double> value) {
    const double raw = RawMoment(release, value, Moment::kVarianceX);
    return function == Function::kRaw ? raw : std::clamp(raw, range.low, range.high);
  };
  Normals noise(7);
  Normals draws(8);
  const SimulationPlan plan{0.95, 399, {range.low, range.high}};
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    for (std::size_t c = 0; c < 4; ++c) release.value[c] = truth[c] + release.sd[c] * noise();
    const ErrorInterval interval =
        SimulatedInterval({release.value, release.sd}, f, plan, std::ref(draws));
    hits += Holds(interval, variance) ? 1 : 0;
  }
  return hits / 2000.0;
}

TEST(IntervalTest, SimulationHoldsAVarianceAsOftenAsItSays) {
  EXPECT_NEAR(VarianceCoverage(1000, 0.3, 0.05, Function::kRaw), 0.95, 0.016);
  EXPECT_NEAR(VarianceCoverage(60, 0.3, 0.05, Function::kRaw), 0.95, 0.02);
  EXPECT_NEAR(VarianceCoverage(1000, 0.1, 0.0005, Function::kRaw), 0.95, 0.016);
}

TEST(IntervalTest, AClampBeforeTheSimulationLosesTheTruth) {
  // Why f must not clamp: below zero the clamped estimate and all its draws meet at the end.
  EXPECT_LT(VarianceCoverage(1000, 0.1, 0.0005, Function::kClamped), 0.8);
}

TEST(IntervalTest, RootsOfEnds) {
  const ErrorInterval root = RootInterval({-1, 4});
  EXPECT_EQ(root.low, 0);
  EXPECT_EQ(root.high, 2);
  EXPECT_EQ(RootInterval({1, kInf}).high, kInf);
}

}  // namespace
}  // namespace dpsql
