#include "privacy/pld.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/check.h"
#include "privacy/fixed_point.h"
#include "privacy/gaussian.h"
#include "privacy/gdp_filter.h"
#include "privacy/pld_fft.h"
#include "privacy/rdp_accountant.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr LossStep Gaussian(double mu) { return {.law = LossLaw::kGaussian, .parameter = mu}; }
constexpr LossStep Laplace(double epsilon) {
  return {.law = LossLaw::kLaplace, .parameter = epsilon};
}
constexpr LossStep BlackBox(double epsilon, double delta, std::int64_t count = 1) {
  return {.law = LossLaw::kBlackBox, .parameter = epsilon, .delta = delta, .count = count};
}

void ExpectJustAbove(double value, double exact, double relative) {
  EXPECT_GE(value, exact * (1 - 1e-12));
  EXPECT_LE(value, exact * (1 + relative));
}

TEST(PldTest, HeterogeneousVectorsFromAbove) {
  for (const auto& vector : TestVectors()["pld_heterogeneous"]) {
    const LossPlan plan = {Laplace(NumberOf(vector["lam"])), Gaussian(NumberOf(vector["mu"]))};
    const double exact = NumberOf(vector["delta"]);
    ExpectJustAbove(PldDelta(plan, NumberOf(vector["eps"])), exact, 1e-7);
    ExpectJustAbove(PldEpsilon(plan, exact), NumberOf(vector["eps"]), 1e-7);
  }
  ExpectJustAbove(PldDelta({BlackBox(0.5, 0), Gaussian(0.5)}, 1.5), 0.0042547087956084, 1e-7);
}

TEST(PldTest, HomogeneousBlackBoxesMatchTheOptimalComposition) {
  for (const auto& vector : TestVectors()["kov_homogeneous"]) {
    const LossPlan plan = {BlackBox(NumberOf(vector["eps"]), NumberOf(vector["delta"]),
                                    vector["n"].get<std::int64_t>())};
    ExpectJustAbove(PldDelta(plan, NumberOf(vector["eps_total"])), NumberOf(vector["delta_total"]),
                    1e-7);
  }
}

TEST(PldTest, GaussianMatchesTheExactCurveFromAboveDownToTinyDelta) {
  for (const double mu : {0.02, 0.1, 1.0, 5.0}) {
    for (const double delta : {1e-2, 1e-6, 1e-12, 1e-30, 1e-100, 1e-280}) {
      const double exact = GaussianEpsilon(delta, mu);
      if (exact == 0) continue;
      ExpectJustAbove(PldEpsilon({Gaussian(mu)}, delta), exact, 1e-4 * 1e-4 / (mu * mu));
    }
  }
}

// Laplace loss is at most epsilon, and 1 - e^((x-epsilon)/2) is its exact curve.
// A law far narrower than a cell of the grid must not lose its mass to rounding.
TEST(PldTest, TinyGaussiansNeverLowerTheDeltaOfTheOthers) {
  const double alone = 0.2876491366449679;  // of the black box: (e - e^0.5) / (1 + e)
  for (const double mu : {1e-170, 7.9e-22, 1e-20, 1.8e-14, 5e-11, 2.4e-8, 1e-6}) {
    for (const double grid : {1e-4, 1e-2}) {
      const double delta = PldDelta({Gaussian(mu), BlackBox(1, 0)}, 0.5, grid);
      EXPECT_GE(delta, alone * (1 - 1e-13)) << mu << " " << grid;
      EXPECT_LE(delta, alone + mu + 1e-8) << mu << " " << grid;
    }
  }
  EXPECT_GT(PldDelta({Gaussian(1e-170)}, 0), 0);
}

TEST(PldTest, LaplaceMatchesItsClosedFormFromAbove) {
  for (const double epsilon : {0.01, 0.3, 2.0}) {
    for (const double share : {0.1, 0.5, 0.9}) {
      const double exact = -std::expm1(0.5 * (share - 1) * epsilon);
      ExpectJustAbove(PldDelta({Laplace(epsilon)}, share * epsilon), exact, 1e-4);
    }
    EXPECT_LT(PldDelta({Laplace(epsilon)}, epsilon + 2e-4), 1e-15);
  }
}

// Key selection: the event belongs to one side; the other side pays by a shift of its losses.
TEST(PldTest, OneSidedEventsCountInOneDirection) {
  const LossPlan plan = {{.parameter = 0.1, .delta = 1e-8, .one_sided = true, .count = 100}};
  ExpectJustAbove(PldDelta(plan, 4), 4.8122364390543e-5, 1e-8);
  const LossCurve curve(plan, 3, kLossGrid);
  ExpectJustAbove(curve.Delta(4, LossDirection::kRemove), 4.8122364390543e-5, 1e-8);
  ExpectJustAbove(curve.Delta(4, LossDirection::kAdd), GaussianDelta(4 - 1e-6, 1), 1e-7);
  EXPECT_EQ(curve.Delta(4), curve.Delta(4, LossDirection::kRemove));
}

TEST(PldTest, TheTiltChangesTheErrorOnly) {
  const LossPlan plan = {Laplace(0.3), Gaussian(0.4), BlackBox(0.2, 1e-9, 5)};
  const double delta = LossCurve(plan, 0, kLossGrid).Delta(1.5);
  for (const double theta : {0.5, 3.0, 10.0}) {
    EXPECT_NEAR(LossCurve(plan, theta, kLossGrid).Delta(1.5) / delta, 1, 1e-7);
  }
}

TEST(PldTest, IsMonotone) {
  const LossPlan plan = {Laplace(0.3), Gaussian(0.4), BlackBox(0.2, 1e-9, 5)};
  const LossCurve curve(plan, 3, kLossGrid);
  double before = 1;
  for (double epsilon = 0; epsilon < 4; epsilon += 0.01237) {
    const double delta = curve.Delta(epsilon);
    EXPECT_LE(delta, before);
    before = delta;
  }
  before = HUGE_VAL;
  for (const double delta : {1e-8, 1e-7, 1e-5, 1e-3, 0.1}) {
    const double epsilon = PldEpsilon(plan, delta);
    EXPECT_LT(epsilon, before);
    EXPECT_LE(curve.Delta(epsilon), delta * (1 + 1e-4));
    before = epsilon;
  }
  LossPlan longer = plan;
  longer.push_back(Laplace(0.01));
  EXPECT_GT(PldEpsilon(longer, 1e-6), PldEpsilon(plan, 1e-6));
}

TEST(PldTest, FinerGridsAreTighterAndNeverBelow) {
  const LossPlan plan = {Laplace(0.3), BlackBox(0.1, 0, 10)};
  const double coarse = PldEpsilon(plan, 1e-6, 4e-3);
  const double middle = PldEpsilon(plan, 1e-6, 1e-3);
  const double fine = PldEpsilon(plan, 1e-6, 1e-4);
  EXPECT_GE(coarse, middle);
  EXPECT_GE(middle, fine);
  EXPECT_NEAR(coarse / fine, 1, 1e-4);
}

TEST(PldTest, EventsAboveDeltaLeaveNoEpsilon) {
  EXPECT_EQ(PldEpsilon({BlackBox(0.1, 1e-6, 2)}, 1e-6), HUGE_VAL);
  EXPECT_EQ(PldEpsilon({}, 1e-6), 0);
  EXPECT_EQ(PldEpsilon({Gaussian(0), Laplace(0), BlackBox(1, 0, 0)}, 1e-6), 0);
  EXPECT_LE(PldDelta({}, 0), 1e-12);
}

TEST(PldTest, HoldsAsManyMoreAsItAnnounces) {
  const EpsilonDelta total = {.epsilon = 2, .delta = 1e-6};
  LossPlan plan = {Laplace(0.3), Gaussian(0.1)};
  const std::int64_t left = PldTimesLeft(plan, Gaussian(0.05), total, 1e-3);
  EXPECT_GT(left, 5);
  LossStep more = Gaussian(0.05);
  more.count = left;
  plan.push_back(more);
  EXPECT_TRUE(PldFits(plan, total, 1e-3));
  EXPECT_EQ(PldTimesLeft(plan, Gaussian(0.05), total, 1e-3), 0);
  EXPECT_EQ(PldTimesLeft(plan, Laplace(1e-9), {.epsilon = 3, .delta = 1e-6}, 1e-2), kMostTimes);
  EXPECT_THROW(PldTimesLeft(plan, Gaussian(0), total), Bug);
}

TEST(PldTest, RefusesWhatIsNoPlan) {
  EXPECT_THROW(PldEpsilon({Gaussian(-1)}, 1e-6), Bug);
  EXPECT_THROW(PldEpsilon({Gaussian(1)}, 0), Bug);
  EXPECT_THROW(PldDelta({BlackBox(1, 1)}, 1), Bug);
  EXPECT_THROW(PldDelta({Laplace(std::nan(""))}, 1), Bug);
  EXPECT_THROW(PldDelta({Gaussian(1)}, -1), Bug);
}

std::vector<std::complex<double>> TransformByDefinition(
    const std::vector<std::complex<double>>& numbers) {
  const std::size_t n = numbers.size();
  std::vector<std::complex<double>> sums(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const double turn = static_cast<double>(i * k % n) / static_cast<double>(n);
      sums[k] += numbers[i] * std::polar(1.0, -2 * std::numbers::pi * turn);
    }
  }
  return sums;
}

void ExpectTransformOf(std::size_t length, std::size_t step) {
  const std::size_t n = length / step;
  Complexes x;
  Complexes spare;
  x.MakeRoom(n);
  spare.MakeRoom(n);
  std::vector<std::complex<double>> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    numbers[i] = {static_cast<double>(i * i % 97), static_cast<double>(i * 31 % 89)};
    x.re()[i] = numbers[i].real();
    x.im()[i] = numbers[i].imag();
  }
  Fourier(length).Transform(x, spare, step);
  const auto expected = TransformByDefinition(numbers);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(x.re()[k], expected[k].real(), 1e-9) << length << " " << step << " " << k;
    EXPECT_NEAR(x.im()[k], expected[k].imag(), 1e-9) << length << " " << step << " " << k;
  }
}

// Lengths of each form, with an even and an odd number of factors 2.
TEST(FourierTest, IsTheSumOfItsDefinition) {
  for (const std::size_t length : {32, 40, 48, 64, 80, 96, 640, 768}) {
    ExpectTransformOf(length, 1);
    ExpectTransformOf(length, 2);
  }
}

// The sum of the differences between the convolver's values and sums of products.
double DistanceFromDirectSums(const std::vector<double>& a, const std::vector<double>& b,
                              const Convolution& product) {
  double difference = 0;
  for (std::size_t k = 0; k < product.values.size(); ++k) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (k >= i && k - i < b.size()) sum += static_cast<long double>(a[i]) * b[k - i];
    }
    difference += std::fabs(product.values[k] - static_cast<double>(sum));
  }
  return difference;
}

TEST(ConvolverTest, ErrorBoundsTheDifferenceToDirectSums) {
  Convolver convolver;
  std::vector<double> a(300);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1 / (600.0 + static_cast<double>(i * i % 97));
  for (const std::size_t size : {170, 330, 450, 700, 900, 1200, 170}) {
    std::vector<double> b(size);
    for (std::size_t i = 0; i < size; ++i) {
      b[i] = 1 / (2.0 * static_cast<double>(size) + static_cast<double>(i * 31 % 89));
    }
    const Convolution product = convolver.Convolve(a, b);
    ASSERT_EQ(product.values.size(), a.size() + b.size() - 1);
    EXPECT_LE(DistanceFromDirectSums(a, b, product), product.error) << size;
    EXPECT_LT(product.error, 1e-11);
  }
}

TEST(ConvolverTest, FewNumbersAmongZerosAreConvolvedDirectly) {
  Convolver convolver;
  std::vector<double> a(5000);
  a[0] = 0.25;
  a[4999] = 0.75;
  const std::vector<double> b(300, 1 / 300.0);
  for (const Convolution& product : {convolver.Convolve(a, b), convolver.Convolve(b, a)}) {
    ASSERT_EQ(product.values.size(), 5299U);
    EXPECT_LE(DistanceFromDirectSums(a, b, product), 1e-16);
  }
}

// The largest number of queries at (0.1, 1e-7) each, under two budgets. A query of DPSQL+ with one
// aggregate has noise for (0.05, 5e-8), and its key selection for (0.05, 2.5e-8) with as large a
// leak again.
struct QueryCounts {
  double aggregate = std::pow(GaussianMu({0.05, 5e-8}), 2);
  double grouped = aggregate + std::pow(GaussianMu({0.05, 2.5e-8}), 2);
};

std::int64_t GdpCount(EpsilonDelta total, double mu_squared, double delta_infinity) {
  const Purses charge = {.mu_squared = MuSquaredUp(mu_squared),
                         .delta = DeltaInfinityUp(delta_infinity)};
  return TimesLeft(GdpCaps({.total = total}), {}, charge);
}

std::int64_t PldCount(EpsilonDelta total, LossStep step) {
  return PldTimesLeft({}, step, total, 1e-3);
}

TEST(QueryCountTest, GdpFilterAtTheNoiseOfDpsqlPlus) {
  const QueryCounts query;
  EXPECT_EQ(GdpCount({0.2, 1e-6}, query.aggregate, 0), 18);
  EXPECT_EQ(GdpCount({1, 2e-7}, query.aggregate, 0), 326);
  EXPECT_EQ(GdpCount({0.2, 1e-6}, query.grouped, 1e-7 / 10), 9);
  EXPECT_EQ(GdpCount({1, 2e-7}, query.grouped, 2e-8 / 169), 168);
}

TEST(QueryCountTest, PldOfAFixedPlanAtTheNoiseOfDpsqlPlus) {
  const QueryCounts query;
  LossStep step = Gaussian(std::sqrt(query.grouped));
  step.delta = 2.5e-8;
  step.one_sided = true;
  EXPECT_EQ(PldCount({0.2, 1e-6}, step), 9);
  // Eight leaks are 1 - (1 - 2.5e-8)^8 = 2e-7 - 1.75e-14: the epsilon of 1.75e-14 still fits.
  EXPECT_EQ(PldCount({1, 2e-7}, step), 8);
  const LossStep scalar = Gaussian(std::sqrt(query.aggregate));
  EXPECT_EQ(PldCount({0.2, 1e-6}, scalar), 18);
  EXPECT_EQ(PldCount({1, 2e-7}, scalar), 329);
}

TEST(QueryCountTest, BlackBoxesAreNoBetterThanBasicComposition) {
  EXPECT_EQ(PldCount({0.2, 1e-6}, BlackBox(0.1, 1e-7)), 2);
  EXPECT_EQ(PldCount({1, 2e-7}, BlackBox(0.1, 1e-7)), 2);
  const Purses charge = RdpBlackBox({0.1, 1e-7});
  const auto caps = [](EpsilonDelta total, double share) {
    return RdpCaps({.total = total, .threshold_share = share});
  };
  EXPECT_EQ(TimesLeft(caps({0.2, 1e-6}, 0.5), {}, charge), 0);
  EXPECT_EQ(TimesLeft(caps({1, 2e-7}, 0.51), {}, charge), 1);
}

TEST(QueryCountTest, ScalarQueriesWithTightNoise) {
  const double mu_squared = std::pow(GaussianMu({0.1, 1e-7}), 2);
  const auto rdp = [&](EpsilonDelta total) {
    return static_cast<std::int64_t>(ZcdpRho(total) / (0.5 * mu_squared));
  };
  EXPECT_EQ(rdp({0.2, 1e-6}), 4);
  EXPECT_EQ(rdp({1, 2e-7}), 72);
  EXPECT_EQ(GdpCount({0.2, 1e-6}, mu_squared, 0), 4);
  EXPECT_EQ(GdpCount({1, 2e-7}, mu_squared, 0), 81);
  const LossStep step = Gaussian(GaussianMu({0.1, 1e-7}));
  const auto fits = [&](std::int64_t count) {
    LossStep many = step;
    many.count = count;
    return PldEpsilon({many}, 2e-7) <= 1;
  };
  EXPECT_TRUE(fits(82));
  EXPECT_FALSE(fits(83));
}

}  // namespace
}  // namespace dpsql
