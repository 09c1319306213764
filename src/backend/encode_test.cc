#include "backend/encode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "backend/tree.h"
#include "base/check.h"
#include "sql/dialect.h"
#include "sql/printer.h"
#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kSteps = std::int64_t{1} << kMostStepBits;
constexpr double kScale = static_cast<double>(kSteps);

// The argument as the lowering makes it: NaN is NULL.
ast::ExprPtr Argument() {
  return tree::Call("nullif", tree::Column("t", "x"), tree::Cast(tree::Text("nan"), "float8"));
}

Statistic Of(StatisticShape shape, std::vector<Interval> bounds = {}) {
  Statistic statistic{.shape = shape};
  for (const Interval& own : bounds) {
    statistic.arguments.push_back({.expr = nullptr, .bounds = own, .origin = ""});
  }
  return statistic;
}

std::string Encoded(StatisticKind kind, Interval bounds, unsigned step_bits = kMostStepBits) {
  Statistic statistic = Of({.kind = kind}, {bounds});
  statistic.step_bits = step_bits;
  return PrintExpr(*EncodeValue(EncodingOf(statistic, 0), Argument), DuckDbDialect());
}

std::string DoubleText(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "'%.17g'::DOUBLE", value);
  return text;
}

// Each value, with both encodings as a real database computes them.
struct Row {
  double value = 0;
  Value moments;
  Value alone;
};

std::vector<Row> Encode(Interval bounds, const std::vector<double>& values) {
  std::string sql = "SELECT " + Encoded(StatisticKind::kMoments, bounds) + ", " +
                    Encoded(StatisticKind::kValue, bounds) + " FROM (VALUES ";
  for (std::size_t i = 0; i < values.size(); ++i) {
    sql += (i ? ", (" : "(") + std::to_string(i) + ", " + DoubleText(values[i]) + ")";
  }
  const auto found = QueryReference(":memory:", sql + ") t(i, x) ORDER BY t.i");
  std::vector<Row> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows.push_back({values[i], found[i][0], found[i][1]});
  }
  return rows;
}

// In bounds, near the bounds, far away, and at the ends of what a double holds.
std::vector<double> Values(Interval bounds, std::mt19937_64& random) {
  const auto [low, high] = bounds;
  std::vector<double> values = {low,
                                high,
                                std::nextafter(low, kInfinity),
                                std::nextafter(high, -kInfinity),
                                std::nextafter(low, -kInfinity),
                                std::nextafter(high, kInfinity),
                                low + (high - low) / 2,
                                0.0,
                                -0.0,
                                std::numeric_limits<double>::denorm_min(),
                                std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::lowest(),
                                kInfinity,
                                -kInfinity};
  std::uniform_real_distribution<double> place(-0.5, 1.5);
  for (int i = 0; i < 40; ++i) values.push_back(low + (high - low) * place(random));
  // Halfway between grid points, where rounding must choose.
  for (int i = 0; i < 10; ++i) {
    const auto step = static_cast<double>(random() % kSteps);
    values.push_back(low + (high - low) * ((step + 0.5) / kScale));
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<Interval> RandomBounds(std::mt19937_64& random) {
  std::vector<Interval> bounds = {{0, 1},        {0, 100},         {-500, 1500},     {-1, 0},
                                  {1000, 1001},  {-3, -1},         {1e15, 1e15 + 1}, {-1e199, 0},
                                  {0, 9.9e199},  {0, 1.1e-200},    {-1e-9, 1},       {0.1, 0.3},
                                  {-1e18, 1e18}, {1e-300, 1e-100}, {-7.25, 1e100},   {5e9, 5.1e9}};
  std::uniform_real_distribution<double> exponent(-30, 30);
  for (int i = 0; i < 12; ++i) {
    const double low = std::pow(10, exponent(random)) * (random() % 2 == 0 ? 1 : -1);
    bounds.push_back({low, low + std::abs(low) * std::pow(10, exponent(random) / 10)});
  }
  return bounds;
}

// The encoded number before rounding, with more digits than a double has.
long double Exact(StatisticKind kind, Interval bounds, double value) {
  const auto low = static_cast<long double>(bounds.low);
  const auto high = static_cast<long double>(bounds.high);
  const long double clamped = std::clamp(static_cast<long double>(value), low, high);
  if (kind == StatisticKind::kMoments) return kScale * ((clamped - low) / (high - low));
  return kScale * (clamped / std::max(std::abs(low), std::abs(high)));
}

void ExpectRounded(StatisticKind kind, Interval bounds, double value, const Value& encoded) {
  ASSERT_TRUE(std::holds_alternative<std::int64_t>(encoded)) << value;
  const std::int64_t number = std::get<std::int64_t>(encoded);
  EXPECT_LE(std::abs(number), kSteps) << value;
  EXPECT_GE(number, kind == StatisticKind::kMoments ? 0 : -kSteps) << value;
  const long double distance =
      std::abs(static_cast<long double>(number) - Exact(kind, bounds, value));
  EXPECT_LE(distance, 0.5 + 1e-8) << value << " in " << bounds.low << ", " << bounds.high;
}

TEST(EncodeTest, StaysInBoundsAndNearTheValue) {
  std::mt19937_64 random(3);
  for (const Interval bounds : RandomBounds(random)) {
    const std::vector<Row> rows = Encode(bounds, Values(bounds, random));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ExpectRounded(StatisticKind::kMoments, bounds, rows[i].value, rows[i].moments);
      ExpectRounded(StatisticKind::kValue, bounds, rows[i].value, rows[i].alone);
      if (i == 0) continue;
      EXPECT_LE(rows[i - 1].moments, rows[i].moments) << rows[i].value;
      EXPECT_LE(rows[i - 1].alone, rows[i].alone) << rows[i].value;
    }
  }
}

TEST(EncodeTest, EndsOfTheRangeAreEndsOfTheScale) {
  std::mt19937_64 random(4);
  for (const Interval bounds : RandomBounds(random)) {
    const std::vector<Row> rows = Encode(bounds, {bounds.low, bounds.high, -kInfinity, kInfinity});
    EXPECT_EQ(rows[0].moments, Value(std::int64_t{0}));
    EXPECT_EQ(rows[1].moments, Value(kSteps));
    EXPECT_EQ(rows[2].moments, rows[0].moments);
    EXPECT_EQ(rows[3].moments, rows[1].moments);
    EXPECT_EQ(rows[2].alone, rows[0].alone);
    EXPECT_EQ(rows[3].alone, rows[1].alone);
    const bool high_is_larger = std::abs(bounds.high) >= std::abs(bounds.low);
    const std::int64_t end = std::get<std::int64_t>(rows[high_is_larger ? 1 : 0].alone);
    EXPECT_EQ(std::abs(end), kSteps) << bounds.low << ", " << bounds.high;
  }
}

TEST(EncodeTest, NanAndNullAreNull) {
  const std::vector<Row> rows = Encode({0, 100}, {std::nan("")});
  EXPECT_TRUE(IsNull(rows[0].moments));
  EXPECT_TRUE(IsNull(rows[0].alone));
  const auto null =
      QueryReference(":memory:", "SELECT " + Encoded(StatisticKind::kMoments, {0, 100}) +
                                     " FROM (VALUES (NULL::DOUBLE)) t(x)");
  EXPECT_TRUE(IsNull(null[0][0]));
}

// A sum over rows does not depend on their order, nor overflow: it is of whole numbers.
TEST(EncodeTest, SumsAreWhole) {
  const auto sum =
      QueryReference(":memory:", "SELECT typeof(sum(" + Encoded(StatisticKind::kValue, {0, 100}) +
                                     ")) FROM (VALUES (1e300)) t(x)");
  EXPECT_EQ(sum[0][0], Value(std::string("HUGEINT")));
}

// Each grid has its own number of steps.
TEST(EncodeTest, StepsAreThoseOfTheGrid) {
  const auto steps = [](StatisticKind kind, unsigned bits) {
    const auto rows = QueryReference(":memory:", "SELECT " + Encoded(kind, {-4, 2}, bits) +
                                                     " FROM (VALUES (-9e0), (-1e0), (2e0)) t(x)");
    std::vector<std::int64_t> numbers;
    for (const auto& row : rows) numbers.push_back(std::get<std::int64_t>(row[0]));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  };
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(steps(StatisticKind::kMoments, 4), (Numbers{0, 8, 16}));
  EXPECT_EQ(steps(StatisticKind::kMoments, 10), (Numbers{0, 512, 1024}));
  EXPECT_EQ(steps(StatisticKind::kValue, 4), (Numbers{-16, -4, 8}));
}

TEST(EncodeTest, APairHasTheBoundsOfEach) {
  const Statistic pair = Of(Moments(2, 1), {{0, 8}, {-3, 1}});
  EXPECT_EQ(EncodingOf(pair, 0).low, 0);
  EXPECT_EQ(EncodingOf(pair, 0).scale, kScale / 8);
  EXPECT_EQ(EncodingOf(pair, 1).origin, -3);
  EXPECT_EQ(EncodingOf(pair, 1).high, 1);
  EXPECT_EQ(EncodingOf(pair, 1).scale, kScale / 4);
}

using Numbers = std::vector<Int128>;

TEST(CoordinatesTest, ARowWeighsOne) {
  const Int128 one = kSteps;
  Statistic statistic = Of({.kind = StatisticKind::kRows});
  EXPECT_EQ(Coordinates(statistic, Numbers{3}, {}), Numbers{3 * one});
  statistic = Of({.kind = StatisticKind::kValue}, {{0, 1}});
  EXPECT_EQ(Coordinates(statistic, Numbers{3}, Numbers{-7}), Numbers{-7});
  statistic = Of(Moments(1), {{0, 1}});
  EXPECT_EQ(Coordinates(statistic, Numbers{3}, Numbers{5}), (Numbers{3 * one - 5, 5}));
  EXPECT_THROW(Coordinates(statistic, Numbers{3}, {}), Bug);
  EXPECT_THROW(Coordinates(Of({.kind = StatisticKind::kUnits}), Numbers{3}, {}), Bug);
  EXPECT_THROW(Coordinates(Of({.kind = StatisticKind::kRows}), Numbers{3}, Numbers{3}), Bug);
}

// Three rows of the class of values, five in all: two without a value.
TEST(CoordinatesTest, RowsWithoutAValueHaveACoordinate) {
  Statistic statistic = Of(Moments(2), {{0, 1}});
  statistic.shape.counts_missing = true;
  statistic.step_bits = 2;
  statistic.cell_class = 1;
  statistic.row_class = 0;
  // Values 0, 1, 4 of 4 steps: sums 5 and 17.
  const Numbers expected = {(16 + 9 + 0), 2 * (0 + 1 * 3 + 0), (0 + 1 + 16), 2 * 16};
  EXPECT_EQ(Coordinates(statistic, Numbers{5, 3}, Numbers{5, 17}), expected);
  EXPECT_EQ(Coordinates(statistic, Numbers{5, 0}, Numbers{0, 0}), (Numbers{0, 0, 0, 5 * 16}));
}

TEST(CoordinatesTest, PowersComeInTheOrderOfTheSums) {
  const auto powers = [](StatisticShape shape) {
    std::vector<std::pair<unsigned, unsigned>> pairs;
    for (const auto& [x, y] : SummedPowers(shape)) pairs.emplace_back(x, y);
    return pairs;
  };
  using Pairs = std::vector<std::pair<unsigned, unsigned>>;
  EXPECT_EQ(powers({.kind = StatisticKind::kRows}), Pairs{});
  EXPECT_EQ(powers({.kind = StatisticKind::kUnits}), Pairs{});
  EXPECT_EQ(powers({.kind = StatisticKind::kDistinct}), Pairs{});
  EXPECT_EQ(powers({.kind = StatisticKind::kValue}), (Pairs{{1, 0}}));
  EXPECT_EQ(powers(Moments(2)), (Pairs{{1, 0}, {2, 0}}));
  EXPECT_EQ(powers(Moments(2, 1)), (Pairs{{0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}));
}

// The coordinates of two cells together are the sum of both.
TEST(CoordinatesTest, AreLinear) {
  std::mt19937_64 random(6);
  for (const StatisticShape shape : {Moments(1), Moments(2), Moments(1, 1), Moments(2, 2)}) {
    Statistic statistic = Of(shape, {{0, 1}, {0, 1}});
    statistic.shape.counts_missing = shape.degrees.y_degree == 0;
    statistic.step_bits = 8;
    statistic.cell_class = 1;
    const auto draw = [&](std::size_t size) {
      Numbers numbers(size);
      for (Int128& number : numbers) number = static_cast<Int128>(random() % 100'000);
      return numbers;
    };
    const auto add = [](const Numbers& a, const Numbers& b) {
      Numbers sum = a;
      for (std::size_t i = 0; i < b.size(); ++i) sum[i] += b[i];
      return sum;
    };
    const std::size_t sums = SummedPowers(shape).size();
    const Numbers rows_a = draw(2), rows_b = draw(2), a = draw(sums), b = draw(sums);
    EXPECT_EQ(Coordinates(statistic, add(rows_a, rows_b), add(a, b)),
              add(Coordinates(statistic, rows_a, a), Coordinates(statistic, rows_b, b)));
  }
}

}  // namespace
}  // namespace dpsql
