#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "aggregates/aggregate.h"

namespace dpsql {
namespace {

const Aggregate& Count() { return *FindAggregate("count", AggregateForm::kStar); }
const Aggregate& CountValues() { return *FindAggregate("count", AggregateForm::kArgument); }
const Aggregate& CountUnits() { return *FindAggregate("count", AggregateForm::kDistinctUnit); }
const Aggregate& Sum() { return *FindAggregate("sum", AggregateForm::kArgument); }
const Aggregate& Avg() { return *FindAggregate("avg", AggregateForm::kArgument); }

StatisticSample Rows(double value, double sd) {
  return {.kind = StatisticKind::kRows, .bounds = {}, .value = {value}, .sd = {sd}};
}

// b1 counts each row by its place between the bounds, b0 by the rest.
StatisticSample Moments(Interval bounds, double b0, double b1, double sd) {
  return {.kind = StatisticKind::kMoments, .bounds = bounds, .value = {b0, b1}, .sd = {sd, sd}};
}

void ExpectEstimate(const Estimate& estimate, double value, NoiseInterval interval,
                    double tolerance) {
  ASSERT_TRUE(estimate.value && estimate.interval);
  EXPECT_NEAR(*estimate.value, value, tolerance);
  EXPECT_NEAR(estimate.interval->low, interval.low, tolerance);
  EXPECT_NEAR(estimate.interval->high, interval.high, tolerance);
}

TEST(RegistryTest, NamesAndFormsAreUnique) {
  std::set<std::pair<std::string_view, AggregateForm>> seen;
  for (const Aggregate* aggregate : AllAggregates()) {
    EXPECT_TRUE(seen.insert({aggregate->function, aggregate->form}).second) << aggregate->function;
    EXPECT_EQ(FindAggregate(aggregate->function, aggregate->form), aggregate);
    EXPECT_TRUE(IsAggregateName(aggregate->function));
  }
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_EQ(FindAggregate("sum", AggregateForm::kStar), nullptr);
  EXPECT_EQ(FindAggregate("avg", AggregateForm::kDistinctUnit), nullptr);
  EXPECT_FALSE(IsAggregateName("median"));
  EXPECT_FALSE(IsAggregateName(""));
}

TEST(RegistryTest, EveryAggregateReadsWhatItAsksFor) {
  for (const Aggregate* aggregate : AllAggregates()) {
    EXPECT_TRUE(aggregate->reads(aggregate->alone)) << aggregate->function;
    EXPECT_TRUE(aggregate->result_type == "BIGINT" || aggregate->result_type == "DOUBLE");
    for (const StatisticKind kind : {StatisticKind::kUnits, StatisticKind::kRows,
                                     StatisticKind::kValue, StatisticKind::kMoments}) {
      if (!aggregate->reads(kind)) continue;
      const Estimate estimate =
          aggregate->decode({.kind = kind,
                             .bounds = {-2, 3},
                             .value = std::vector<double>(Coordinates(kind), 1000.0),
                             .sd = std::vector<double>(Coordinates(kind), 10.0)});
      ASSERT_TRUE(estimate.value && estimate.interval) << aggregate->function;
      EXPECT_LE(estimate.interval->low, *estimate.value);
      EXPECT_LT(*estimate.value, estimate.interval->high);
    }
  }
}

TEST(CountTest, IntervalHoldsTheWholeNumbersInside) {
  // 99.6 +- 19.5996 is [80.0004, 119.1996].
  ExpectEstimate(Count().decode(Rows(99.6, 10)), 100, {81, 119}, 0);
  ExpectEstimate(CountValues().decode(Rows(99.6, 10)), 100, {81, 119}, 0);
  const StatisticSample units{
      .kind = StatisticKind::kUnits, .bounds = {}, .value = {-3}, .sd = {10}};
  ExpectEstimate(CountUnits().decode(units), -3, {-22, 16}, 0);
}

TEST(CountTest, CoordinatesOfMomentsAddUp) {
  // 40.2 + 59.9 = 100.1, and its noise has sd 10 sqrt(2): +- 27.7181.
  ExpectEstimate(Count().decode(Moments({5, 9}, 40.2, 59.9, 10)), 100, {73, 127}, 0);
  ExpectEstimate(CountValues().decode(Moments({5, 9}, 40.2, 59.9, 10)), 100, {73, 127}, 0);
}

TEST(CountTest, IntervalNeverLosesItsEstimate) {
  ExpectEstimate(Count().decode(Rows(300, 0)), 300, {300, 300}, 0);
  // [5.104, 5.496] holds no whole number.
  ExpectEstimate(Count().decode(Rows(5.3, 0.1)), 5, {5, 5}, 0);
  ExpectEstimate(Count().decode(Rows(5.7, 0.1)), 6, {6, 6}, 0);
}

TEST(SumTest, AloneIsScaledByTheLargerBound) {
  const StatisticSample sample{
      .kind = StatisticKind::kValue, .bounds = {-500, 1500}, .value = {2}, .sd = {0.5}};
  const double margin = 1.959963984540054 * 0.5 * 1500;
  ExpectEstimate(Sum().decode(sample), 3000, {3000 - margin, 3000 + margin}, 1e-9);
  const StatisticSample negative{
      .kind = StatisticKind::kValue, .bounds = {-9, 4}, .value = {-2}, .sd = {0}};
  ExpectEstimate(Sum().decode(negative), -18, {-18, -18}, 0);
}

TEST(SumTest, OfMomentsWeighsTheBounds) {
  // -500 * 30 + 1500 * 10 = 0.
  const double margin = 1.959963984540054 * 2 * std::hypot(500, 1500);
  ExpectEstimate(Sum().decode(Moments({-500, 1500}, 30, 10, 2)), 0, {-margin, margin}, 1e-9);
}

TEST(AvgTest, MatchesFiellerVectors) {
  ExpectEstimate(Avg().decode(Moments({0, 1}, 400, 600, 10)), 0.6, {0.585938, 0.614216}, 5e-7);
  ExpectEstimate(Avg().decode(Moments({0, 1}, 40, 60, 10)), 0.6, {0.460988, 0.755656}, 5e-7);
  const Estimate none = Avg().decode(Moments({0, 1}, 15, 12, 10));
  EXPECT_FALSE(none.value || none.interval);
}

TEST(AvgTest, IsPlacedBetweenItsBounds) {
  ExpectEstimate(Avg().decode(Moments({100, 300}, 400, 600, 10)), 220,
                 {100 + 200 * 0.585938, 100 + 200 * 0.614216}, 1e-4);
  ExpectEstimate(Avg().decode(Moments({-3, -1}, 400, 600, 10)), -1.8,
                 {-3 + 2 * 0.585938, -3 + 2 * 0.614216}, 1e-6);
  const Estimate low = Avg().decode(Moments({100, 300}, 1000, -20, 10));
  ASSERT_TRUE(low.value && low.interval);
  EXPECT_EQ(*low.value, 100);
  EXPECT_EQ(low.interval->low, 100);
  const Estimate high = Avg().decode(Moments({100, 300}, -20, 1000, 10));
  EXPECT_EQ(high.value, 300);
  EXPECT_EQ(high.interval->high, 300);
}

TEST(AvgTest, NeedsAClearCount) {
  const double three_sd = 3 * std::sqrt(200.0);
  EXPECT_TRUE(Avg().decode(Moments({0, 1}, three_sd - 20, 20.001, 10)).value);
  EXPECT_FALSE(Avg().decode(Moments({0, 1}, three_sd - 20, 19.999, 10)).value);
  EXPECT_FALSE(Avg().decode(Moments({0, 1}, 0, 0, 0)).value);
  EXPECT_FALSE(Avg().decode(Moments({0, 1}, -400, -600, 10)).value);
  ExpectEstimate(Avg().decode(Moments({0, 8}, 1, 1, 0)), 4, {4, 4}, 0);
}

constexpr int kRuns = 20'000;
// Six standard deviations of the share of hits: a false alarm in 5e8 seeds.
const double kSlack = 6 * std::sqrt(0.95 * 0.05 / kRuns);

// The share of seeded draws whose interval holds the truth.
template <typename MakeSample>
double Coverage(const Aggregate& aggregate, double truth, MakeSample make_sample) {
  std::mt19937 random(20261115);
  std::normal_distribution<double> normal;
  int hits = 0;
  for (int i = 0; i < kRuns; ++i) {
    const Estimate estimate = aggregate.decode(make_sample(random, normal));
    if (!estimate.interval) continue;
    hits += estimate.interval->low <= truth && truth <= estimate.interval->high;
  }
  return static_cast<double>(hits) / kRuns;
}

using Random = std::mt19937;
using Normal = std::normal_distribution<double>;

TEST(CoverageTest, CountsHoldTheTruthNineteenTimesInTwenty) {
  for (const double sd : {2.0, 10.0, 31.4}) {
    EXPECT_NEAR(Coverage(Count(), 300,
                         [&](Random& random, Normal& normal) {
                           return Rows(300 + sd * normal(random), sd);
                         }),
                0.95, kSlack);
  }
  EXPECT_NEAR(Coverage(Count(), 300,
                       [](Random& random, Normal& normal) {
                         const double b0 = 120 + 10 * normal(random);
                         return Moments({0, 1}, b0, 180 + 10 * normal(random), 10);
                       }),
              0.95, kSlack);
}

TEST(CoverageTest, SumsHoldTheTruthNineteenTimesInTwenty) {
  EXPECT_NEAR(Coverage(Sum(), 1500 * 7.25,
                       [](Random& random, Normal& normal) {
                         StatisticSample sample = Rows(7.25 + 3 * normal(random), 3);
                         sample.kind = StatisticKind::kValue;
                         sample.bounds = {-500, 1500};
                         return sample;
                       }),
              0.95, kSlack);
  EXPECT_NEAR(Coverage(Sum(), -500 * 40 + 1500 * 60,
                       [](Random& random, Normal& normal) {
                         const double b0 = 40 + 10 * normal(random);
                         return Moments({-500, 1500}, b0, 60 + 10 * normal(random), 10);
                       }),
              0.95, kSlack);
}

// The count is often near the least that has a mean, where the delta method would cover 97 %.
TEST(CoverageTest, MeansHoldTheTruthNineteenTimesInTwenty) {
  for (const double n : {100.0, 1000.0}) {
    EXPECT_NEAR(Coverage(Avg(), 0.6,
                         [&](Random& random, Normal& normal) {
                           const double b0 = 0.4 * n + 10 * normal(random);
                           return Moments({0, 1}, b0, 0.6 * n + 10 * normal(random), 10);
                         }),
                0.95, kSlack);
  }
}

}  // namespace
}  // namespace dpsql
