#include "aggregates/centred_moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "aggregates/aggregate.h"
#include "aggregates/moments.h"

namespace dpsql {
namespace {

constexpr Interval kX{-20, 80};
constexpr Interval kY{5, 9};

double Basis(unsigned degree, unsigned i, double u) {
  double b = std::pow(u, i) * std::pow(1 - u, degree - i);
  for (unsigned k = 0; k < i; ++k) b *= static_cast<double>(degree - k) / (k + 1);
  return b;
}

// The vector of rows that rise together, with noise of this standard deviation told and none in it.
StatisticSample Exact(StatisticShape shape, int rows, double sd) {
  StatisticSample sample{.shape = shape, .x = kX, .y = kY};
  sample.value.assign(Coordinates(shape), 0.0);
  sample.sd.assign(Coordinates(shape), sd);
  const auto [dx, dy] = shape.degrees;
  for (int row = 0; row < rows; ++row) {
    const double x = (row + 0.5) / rows;
    const double y = 0.5 * x + 0.5 * std::fmod(row * 0.618, 1.0);
    std::size_t at = 0;
    for (unsigned i = 0; i <= dx; ++i) {
      for (unsigned j = 0; j <= dy; ++j) sample.value[at++] += Basis(dx, i, x) * Basis(dy, j, y);
    }
  }
  return sample;
}

double TruthOf(const StatisticSample& exact, Moment moment) {
  const BernsteinRelease release = ReleaseOf(exact);
  return RawMoment(release, release.value, moment);
}

class Noise {
 public:
  explicit Noise(Mechanism mechanism) : mechanism_(mechanism) {}

  StatisticSample Added(StatisticSample sample) {
    sample.mechanism = mechanism_;
    for (std::size_t i = 0; i < sample.value.size(); ++i) sample.value[i] += sample.sd[i] * Next();
    return sample;
  }

 private:
  double Next() {
    if (mechanism_ == Mechanism::kGaussian) return normal_(random_);
    return (exponential_(random_) - exponential_(random_)) / std::sqrt(2.0);
  }

  Mechanism mechanism_;
  std::mt19937_64 random_{20261115};
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
};

struct Case {
  Moment moment;
  StatisticShape shape;
};

const std::vector<Case> kCases = {
    {Moment::kMeanX, Moments(1)},         {Moment::kVarianceX, Moments(2)},
    {Moment::kCovariance, Moments(1, 1)}, {Moment::kSlope, Moments(2, 1)},
    {Moment::kIntercept, Moments(2, 1)},  {Moment::kCorrelation, Moments(2, 2)}};

TEST(CentredMomentsTest, WithoutNoiseTheIntervalIsTheMoment) {
  for (const Case& one : kCases) {
    const StatisticSample exact = Exact(one.shape, 300, 0);
    const double truth = TruthOf(exact, one.moment);
    const auto interval = CentredMoments(exact).IntervalOf(one.moment);
    ASSERT_TRUE(interval);
    const double tolerance = 1e-9 * std::max(1.0, std::abs(truth));
    EXPECT_NEAR(interval->low, truth, tolerance) << Name(one.shape);
    EXPECT_NEAR(interval->high, truth, tolerance) << Name(one.shape);
    EXPECT_NEAR(MomentDrawer(exact, one.moment)(exact), truth, tolerance) << Name(one.shape);
  }
}

// The two ways to an interval know nothing of each other but the argument. 40,000 draws leave the
// ends uncertain by 1 % of the width. They differ to second order, since a correlation's formula is
// linear at the estimate and its draws are not: by 4 % of the width with twice this noise.
TEST(CentredMomentsTest, TheMiddleOfDrawsIsTheInterval) {
  constexpr std::size_t kDraws = 40'000;
  for (const Case& one : kCases) {
    Noise noise(Mechanism::kGaussian);
    const StatisticSample released = noise.Added(Exact(one.shape, 300, 2));
    const MomentDrawer drawer(released, one.moment);
    std::vector<double> draws;
    for (std::size_t i = 0; i < kDraws; ++i) draws.push_back(drawer(noise.Added(released)));
    std::sort(draws.begin(), draws.end());
    const auto interval = CentredMoments(released).IntervalOf(one.moment);
    ASSERT_TRUE(interval);
    const double width = interval->high - interval->low;
    EXPECT_NEAR(draws[kDraws / 40], interval->low, 0.04 * width) << Name(one.shape);
    EXPECT_NEAR(draws[kDraws - kDraws / 40], interval->high, 0.04 * width) << Name(one.shape);
  }
}

// Counts of 80 with noise that leaves a variance four to eight standard deviations. The limits are
// those of moments_test.cc: an interval of 95 % fails once in 5e7 seeds.
TEST(CentredMomentsTest, SmallGroupsAreHeldNineteenTimesInTwenty) {
  constexpr int kRuns = 20'000;
  const double least = 0.95 - 5.5 * std::sqrt(0.95 * 0.05 / kRuns);
  for (const Mechanism mechanism : {Mechanism::kGaussian, Mechanism::kLaplace}) {
    for (const Case& one : kCases) {
      const StatisticSample exact = Exact(one.shape, 80, 1.2);
      const double truth = TruthOf(exact, one.moment);
      Noise noise(mechanism);
      int hits = 0;
      for (int run = 0; run < kRuns; ++run) {
        const auto interval = CentredMoments(noise.Added(exact)).IntervalOf(one.moment);
        hits += interval && interval->low <= truth && truth <= interval->high;
      }
      EXPECT_GE(hits, least * kRuns) << Name(one.shape) << " " << Name(mechanism);
      EXPECT_LE(hits, 0.975 * kRuns) << Name(one.shape) << " " << Name(mechanism);
    }
  }
}

// All rows at one value: noise makes half of the variances negative, and the interval must not
// shrink to 0 with them.
TEST(CentredMomentsTest, ANegativeVarianceHasAnIntervalFromZero) {
  const StatisticSample flat{
      .shape = Moments(2), .x = kX, .value = {100, 180, 100}, .sd = {10, 10, 10}};
  const StatisticSample at_middle{
      .shape = Moments(2), .x = kX, .value = {95, 210, 95}, .sd = {10, 10, 10}};
  for (const StatisticSample& sample : {flat, at_middle}) {
    const auto interval = CentredMoments(sample).IntervalOf(Moment::kVarianceX);
    ASSERT_TRUE(interval);
    EXPECT_EQ(interval->low, 0);
    EXPECT_GT(interval->high, 10);
  }
  const MomentDrawer drawer(at_middle, Moment::kVarianceX);
  EXPECT_EQ(drawer(at_middle), 0);
}

TEST(CentredMomentsTest, WithoutADenominatorThereIsTheRangeOrNothing) {
  const StatisticSample pair = Exact(Moments(2, 2), 60, 40);
  const CentredMoments moments(pair);
  EXPECT_FALSE(moments.IntervalOf(Moment::kSlope));
  EXPECT_FALSE(moments.IntervalOf(Moment::kIntercept));
  const auto correlation = moments.IntervalOf(Moment::kCorrelation);
  ASSERT_TRUE(correlation);
  EXPECT_EQ(correlation->low, -1);
  EXPECT_EQ(correlation->high, 1);
  StatisticSample none = pair;
  for (double& value : none.value) value = -value;
  EXPECT_TRUE(std::isnan(MomentDrawer(pair, Moment::kSlope)(none)));
  EXPECT_TRUE(std::isnan(MomentDrawer(pair, Moment::kMeanX)(none)));
}

// What the SQL above the doors computes with: no draw is rounded, and draws of a root exist.
TEST(DrawerTest, EveryAggregateHasDrawsAroundItsEstimate) {
  for (const Aggregate* aggregate : AllAggregates()) {
    if (!aggregate->reads(aggregate->alone)) continue;
    StatisticSample sample{.shape = aggregate->alone, .x = kX, .y = kY, .value = {300}, .sd = {2}};
    if (aggregate->alone.kind == StatisticKind::kMoments) sample = Exact(aggregate->alone, 300, 1);
    const double estimate = aggregate->decode(sample).value.value_or(0);
    const double drawn = aggregate->drawer == nullptr ? *aggregate->decode(sample).value
                                                      : aggregate->drawer(sample)(sample);
    EXPECT_NEAR(drawn, estimate, 1e-3 * std::abs(estimate)) << aggregate->function;
    if (aggregate->result_type != "BIGINT") continue;
    ASSERT_NE(aggregate->drawer, nullptr) << aggregate->function;
    sample.value[0] += 0.25;
    EXPECT_NEAR(aggregate->drawer(sample)(sample), estimate + 0.25, 1e-9) << aggregate->function;
  }
}

}  // namespace
}  // namespace dpsql
