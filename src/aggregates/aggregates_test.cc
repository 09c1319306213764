#include <gtest/gtest.h>

#include <cmath>
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

StatisticSample Number(StatisticKind kind, Interval bounds, double value, double sd) {
  return {.shape = {.kind = kind}, .x = bounds, .value = {value}, .sd = {sd}};
}

StatisticSample Rows(double value, double sd) {
  return Number(StatisticKind::kRows, {}, value, sd);
}

// b1 counts each row by its place between the bounds, b0 by the rest.
StatisticSample Line(Interval bounds, double b0, double b1, double sd) {
  return {.shape = Moments(1), .x = bounds, .value = {b0, b1}, .sd = {sd, sd}};
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
  EXPECT_EQ(seen.size(), 16u);
  EXPECT_EQ(FindAggregate("sum", AggregateForm::kStar), nullptr);
  EXPECT_EQ(FindAggregate("avg", AggregateForm::kDistinctUnit), nullptr);
  EXPECT_FALSE(IsAggregateName("median"));
  EXPECT_FALSE(IsAggregateName(""));
}

TEST(RegistryTest, OtherNamesFindTheSameAggregate) {
  const auto find = [](std::string_view name) {
    return FindAggregate(name, AggregateForm::kArgument);
  };
  EXPECT_EQ(find("variance"), find("var_samp"));
  EXPECT_EQ(find("stddev"), find("stddev_samp"));
  EXPECT_NE(find("var_pop"), find("var_samp"));
  EXPECT_TRUE(IsAggregateName("variance"));
}

std::vector<StatisticShape> AllShapes() {
  std::vector<StatisticShape> shapes = {{.kind = StatisticKind::kUnits},
                                        {.kind = StatisticKind::kDistinct},
                                        {.kind = StatisticKind::kRows},
                                        {.kind = StatisticKind::kValue}};
  for (const StatisticShape shape : {Moments(1), Moments(2), Moments(3), Moments(4), Moments(1, 1),
                                     Moments(2, 1), Moments(2, 2)}) {
    shapes.push_back(shape);
    shapes.push_back(shape);
    shapes.back().counts_missing = true;
  }
  return shapes;
}

// The coordinates of 1000 rows at the corners of the bounds and 100 in the middle.
StatisticSample ManyRows(const StatisticShape& shape, Mechanism mechanism) {
  StatisticSample sample{.shape = shape, .mechanism = mechanism, .x = {-2, 3}, .y = {5, 9}};
  sample.value.assign(Coordinates(shape), 1000.0);
  sample.sd.assign(Coordinates(shape), 10.0);
  // More where both values are low or both high, so that they are correlated.
  sample.value.front() += 500;
  if (!shape.counts_missing) sample.value.back() += 500;
  return sample;
}

TEST(RegistryTest, EveryAggregateReadsWhatItAsksFor) {
  for (const Aggregate* aggregate : AllAggregates()) {
    EXPECT_TRUE(aggregate->reads(aggregate->alone)) << aggregate->function;
    EXPECT_TRUE(aggregate->result_type == "BIGINT" || aggregate->result_type == "DOUBLE");
    for (const StatisticShape& shape : AllShapes()) {
      if (!aggregate->reads(shape)) continue;
      for (const Mechanism mechanism : {Mechanism::kGaussian, Mechanism::kLaplace}) {
        const Estimate estimate = aggregate->decode(ManyRows(shape, mechanism));
        ASSERT_TRUE(estimate.value && estimate.interval) << aggregate->function;
        EXPECT_LE(estimate.interval->low, *estimate.value) << aggregate->function;
        EXPECT_LT(*estimate.value, estimate.interval->high) << aggregate->function << Name(shape);
      }
    }
  }
}

// Which aggregates a shape serves, as "function form" in the order of the registry.
std::set<std::string> ServedBy(const StatisticShape& shape) {
  std::set<std::string> served;
  for (const Aggregate* aggregate : AllAggregates()) {
    if (!aggregate->reads(shape)) continue;
    served.insert(std::string(aggregate->function) +
                  (aggregate->form == AggregateForm::kStar ? "(*)" : ""));
  }
  return served;
}

TEST(RegistryTest, AShapeServesWhatItDetermines) {
  using Names = std::set<std::string>;
  const Names first = {"count(*)", "count", "sum", "avg"};
  Names second = first;
  second.insert({"var_pop", "var_samp", "stddev_pop", "stddev_samp"});
  Names pair = {"covar_pop", "covar_samp"};
  EXPECT_EQ(ServedBy({.kind = StatisticKind::kRows}), (Names{"count(*)", "count"}));
  EXPECT_EQ(ServedBy({.kind = StatisticKind::kValue}), Names{"sum"});
  EXPECT_EQ(ServedBy(Moments(1)), first);
  EXPECT_EQ(ServedBy(Moments(2)), second);
  EXPECT_EQ(ServedBy(Moments(1, 1)), pair);
  pair.insert({"regr_slope", "regr_intercept"});
  EXPECT_EQ(ServedBy(Moments(2, 1)), pair);
  pair.insert({"corr", "regr_r2"});
  EXPECT_EQ(ServedBy(Moments(2, 2)), pair);
}

TEST(StatisticTest, AShapeHasItsCoordinatesGridAndName) {
  StatisticShape missing = Moments(2);
  missing.counts_missing = true;
  EXPECT_EQ(Coordinates(Moments(2)), 3u);
  EXPECT_EQ(Coordinates(missing), 4u);
  EXPECT_EQ(Coordinates(Moments(2, 1)), 6u);
  EXPECT_EQ(Coordinates(StatisticShape{.kind = StatisticKind::kValue}), 1u);
  EXPECT_EQ(GridBits(Moments(2, 1), 7), 21u);
  EXPECT_EQ(GridBits({.kind = StatisticKind::kRows}, 7), 7u);
  EXPECT_EQ(GridBits({.kind = StatisticKind::kUnits}, 7), 0u);
  EXPECT_EQ(GridBits({.kind = StatisticKind::kDistinct}, 7), 0u);
  EXPECT_EQ(Name(missing), "moments (2) and missing");
  EXPECT_EQ(Name(Moments(2, 1)), "moments (2,1)");
  EXPECT_EQ(Name(Moments(1)), "moments");
  EXPECT_EQ(WeightsOf(missing).weight, (std::vector<std::uint64_t>{2, 7, 2, 2}));
  EXPECT_EQ(WeightsOf(missing).whole, 2u);
}

TEST(CountTest, IntervalHoldsTheWholeNumbersInside) {
  // 99.6 +- 19.5996 is [80.0004, 119.1996].
  ExpectEstimate(Count().decode(Rows(99.6, 10)), 100, {81, 119}, 0);
  ExpectEstimate(CountValues().decode(Rows(99.6, 10)), 100, {81, 119}, 0);
  const StatisticSample units = Number(StatisticKind::kUnits, {}, -3, 10);
  ExpectEstimate(CountUnits().decode(units), -3, {-22, 16}, 0);
}

TEST(CountTest, CoordinatesOfMomentsAddUp) {
  // 40.2 + 59.9 = 100.1, and its noise has sd 10 sqrt(2): +- 27.7181.
  ExpectEstimate(Count().decode(Line({5, 9}, 40.2, 59.9, 10)), 100, {73, 127}, 0);
  ExpectEstimate(CountValues().decode(Line({5, 9}, 40.2, 59.9, 10)), 100, {73, 127}, 0);
}

TEST(CountTest, IntervalNeverLosesItsEstimate) {
  ExpectEstimate(Count().decode(Rows(300, 0)), 300, {300, 300}, 0);
  // [5.104, 5.496] holds no whole number.
  ExpectEstimate(Count().decode(Rows(5.3, 0.1)), 5, {5, 5}, 0);
  ExpectEstimate(Count().decode(Rows(5.7, 0.1)), 6, {6, 6}, 0);
}

TEST(SumTest, AloneIsScaledByTheLargerBound) {
  const StatisticSample sample = Number(StatisticKind::kValue, {-500, 1500}, 2, 0.5);
  const double margin = 1.959963984540054 * 0.5 * 1500;
  ExpectEstimate(Sum().decode(sample), 3000, {3000 - margin, 3000 + margin}, 1e-9);
  const StatisticSample negative = Number(StatisticKind::kValue, {-9, 4}, -2, 0);
  ExpectEstimate(Sum().decode(negative), -18, {-18, -18}, 0);
}

TEST(SumTest, OfMomentsWeighsTheBounds) {
  // -500 * 30 + 1500 * 10 = 0.
  const double margin = 1.959963984540054 * 2 * std::hypot(500, 1500);
  ExpectEstimate(Sum().decode(Line({-500, 1500}, 30, 10, 2)), 0, {-margin, margin}, 1e-9);
}

TEST(AvgTest, MatchesFiellerVectors) {
  ExpectEstimate(Avg().decode(Line({0, 1}, 400, 600, 10)), 0.6, {0.585938, 0.614216}, 5e-7);
  ExpectEstimate(Avg().decode(Line({0, 1}, 40, 60, 10)), 0.6, {0.460988, 0.755656}, 5e-7);
  const Estimate none = Avg().decode(Line({0, 1}, 15, 12, 10));
  EXPECT_FALSE(none.value || none.interval);
}

TEST(AvgTest, IsPlacedBetweenItsBounds) {
  ExpectEstimate(Avg().decode(Line({100, 300}, 400, 600, 10)), 220,
                 {100 + 200 * 0.585938, 100 + 200 * 0.614216}, 1e-4);
  ExpectEstimate(Avg().decode(Line({-3, -1}, 400, 600, 10)), -1.8,
                 {-3 + 2 * 0.585938, -3 + 2 * 0.614216}, 1e-6);
  const Estimate low = Avg().decode(Line({100, 300}, 1000, -20, 10));
  ASSERT_TRUE(low.value && low.interval);
  EXPECT_EQ(*low.value, 100);
  EXPECT_EQ(low.interval->low, 100);
  const Estimate high = Avg().decode(Line({100, 300}, -20, 1000, 10));
  EXPECT_EQ(high.value, 300);
  EXPECT_EQ(high.interval->high, 300);
}

TEST(AvgTest, NeedsAClearCount) {
  const double three_sd = 3 * std::sqrt(200.0);
  EXPECT_TRUE(Avg().decode(Line({0, 1}, three_sd - 20, 20.001, 10)).value);
  EXPECT_FALSE(Avg().decode(Line({0, 1}, three_sd - 20, 19.999, 10)).value);
  EXPECT_FALSE(Avg().decode(Line({0, 1}, 0, 0, 0)).value);
  EXPECT_FALSE(Avg().decode(Line({0, 1}, -400, -600, 10)).value);
  ExpectEstimate(Avg().decode(Line({0, 8}, 1, 1, 0)), 4, {4, 4}, 0);
}

}  // namespace
}  // namespace dpsql
