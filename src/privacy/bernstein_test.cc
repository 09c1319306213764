#include "privacy/bernstein.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "base/check.h"
#include "privacy/clip.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_rational;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::array<BernsteinShape, 7> kShapes = {
    {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {1, 1}, {2, 1}, {2, 2}}};
constexpr std::array<Moment, 11> kMoments = {
    Moment::kRows,       Moment::kCount,       Moment::kSumX,      Moment::kSumY,
    Moment::kMeanX,      Moment::kMeanY,       Moment::kVarianceX, Moment::kVarianceY,
    Moment::kCovariance, Moment::kCorrelation, Moment::kSlope};

// At most ten coordinates of at most 2^42: 128 bits hold both sums.
UInt128 NormSquared(std::span<const Int128> row) {
  Int128 sum = 0;
  for (const Int128 value : row) sum += value * value;
  return static_cast<UInt128>(sum);
}

UInt128 NormSquared(const std::vector<std::int64_t>& row) {
  return NormSquared(std::vector<Int128>(row.begin(), row.end()));
}

Int128 Sum(const std::vector<std::int64_t>& row) {
  return std::accumulate(row.begin(), row.end(), Int128{0});
}

cpp_rational Bernstein(unsigned degree, unsigned i, const cpp_rational& y) {
  cpp_rational result = 1;
  for (unsigned k = 0; k < i; ++k) result = result * (degree - k) / (k + 1);
  for (unsigned k = 0; k < degree; ++k) result *= k < i ? y : cpp_rational(1 - y);
  return result;
}

// The squared norm of the weighted, unrounded vector, with `extra` added to one squared weight.
cpp_rational ExactNorm(const BernsteinGrid& grid, const cpp_rational& x, const cpp_rational& y,
                       std::size_t changed = 1000, const cpp_rational& extra = 0) {
  const unsigned columns = grid.shape.y_degree + 1;
  cpp_rational norm = 0;
  for (std::size_t cell = 0; cell + 1 < CoordinatesOf(grid.shape); ++cell) {
    const SquaredWeight weight = WeightOf(grid, cell);
    cpp_rational squared(weight.numerator, weight.denominator);
    if (cell == changed) squared += extra;
    const cpp_rational b =
        Bernstein(grid.shape.x_degree, static_cast<unsigned>(cell / columns), x) *
        Bernstein(grid.shape.y_degree, static_cast<unsigned>(cell % columns), y);
    norm += squared * b * b;
  }
  return norm;
}

TEST(BernsteinTest, WeightedVectorsAreAtMostOneLongAndWeightsCannotGrow) {
  for (const BernsteinShape shape : kShapes) {
    const BernsteinGrid grid{.shape = shape};
    const int steps = shape.y_degree > 0 ? 24 : 240;
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; j <= (shape.y_degree > 0 ? steps : 0); ++j) {
        ASSERT_TRUE(ExactNorm(grid, {i, steps}, {j, steps}) <= 1) << shape.x_degree << " " << i;
      }
    }
    const cpp_rational half(1, 2);
    for (std::size_t cell = 0; cell + 1 < CoordinatesOf(shape); ++cell) {
      const unsigned i = static_cast<unsigned>(cell / (shape.y_degree + 1));
      const unsigned j = static_cast<unsigned>(cell % (shape.y_degree + 1));
      const auto worst = [&](unsigned k, unsigned d) {
        return d == 0 || k == 0 ? cpp_rational(0) : k == d ? cpp_rational(1) : half;
      };
      const cpp_rational x = worst(i, shape.x_degree);
      const cpp_rational y = worst(j, shape.y_degree);
      ASSERT_TRUE(ExactNorm(grid, x, y) == 1);
      ASSERT_TRUE(ExactNorm(grid, x, y, cell, cpp_rational(1, 1000000)) > 1);
    }
  }
}

void ExpectInside(const BernsteinGrid& grid, std::uint32_t x, std::uint32_t y) {
  const std::vector<std::int64_t> row = EncodeRow(grid, x, y);
  const Int128 one = Int128{1} << grid.scale_bits;
  ASSERT_TRUE(NormSquared(row) <= static_cast<UInt128>(one * one))
      << grid.value_bits << " " << x << " " << y;
  ASSERT_GE(*std::min_element(row.begin(), row.end()), 0);
  if (grid.weights == BernsteinWeights::kMiddle) return;
  ASSERT_TRUE(Sum(row) <= one && Sum(row) > one - static_cast<Int128>(row.size()));
  const unsigned exact = grid.value_bits * (grid.shape.x_degree + grid.shape.y_degree);
  if (grid.scale_bits >= exact) {
    ASSERT_TRUE(Sum(row) == one);
  }
}

void ExpectEveryStepInside(const BernsteinGrid& grid) {
  const std::uint32_t top = 1U << grid.value_bits;
  const std::uint32_t y_top = grid.shape.y_degree > 0 ? top : 0;
  for (std::uint32_t x = 0; x <= top; ++x) {
    for (std::uint32_t y = 0; y <= y_top; ++y) ExpectInside(grid, x, y);
  }
}

TEST(BernsteinTest, EveryStepOfEveryGridStaysInside) {
  for (const BernsteinShape shape : kShapes) {
    const unsigned finest = shape.y_degree > 0 ? 5 : 12;
    for (const unsigned value_bits : {1U, 3U, 4U, finest}) {
      for (const unsigned scale_bits : {1U, 2U, 5U, 13U, 24U, 40U}) {
        ExpectEveryStepInside({shape, BernsteinWeights::kOne, value_bits, scale_bits});
        ExpectEveryStepInside({shape, BernsteinWeights::kMiddle, value_bits, scale_bits});
      }
    }
  }
}

TEST(BernsteinTest, RandomStepsOfFineGridsStayInside) {
  std::mt19937_64 random(7);
  for (int n = 0; n < 40000; ++n) {
    const BernsteinGrid grid{kShapes[random() % kShapes.size()],
                             random() % 2 == 0 ? BernsteinWeights::kOne : BernsteinWeights::kMiddle,
                             static_cast<unsigned>(13 + random() % 12),
                             static_cast<unsigned>(1 + random() % 40)};
    const std::uint32_t top = 1U << grid.value_bits;
    // Half of the steps are next to an end or to the middle, where the norm is 1 or nearly.
    const auto step = [&] {
      const auto near = static_cast<std::uint32_t>(random() % 4);
      const std::array<std::uint32_t, 4> places = {near, top / 2 + near, top / 2 - near,
                                                   top - near};
      return random() % 2 == 0 ? places[random() % 4]
                               : static_cast<std::uint32_t>(random() % (top + 1));
    };
    ExpectInside(grid, step(), step());
  }
}

TEST(BernsteinTest, AUnitsRowsAreClippedToItsBound) {
  const BernsteinGrid grid{.shape = {2, 0}};
  std::mt19937_64 random(3);
  for (int n = 0; n < 200; ++n) {
    std::vector<Int128> unit(CoordinatesOf(grid.shape), 0);
    for (int r = 0; r < 9; ++r) {
      const auto row = EncodeRow(grid, static_cast<std::uint32_t>(random() % 65537));
      for (std::size_t i = 0; i < row.size(); ++i) unit[i] += row[i];
    }
    ClipL2(unit, std::uint64_t{2} << 40);
    ASSERT_TRUE(NormSquared(unit) <= UInt128{1} << 82);
  }
}

TEST(BernsteinTest, ValuesAreClampedAndNaNIsNoValue) {
  const ValueRange range{-2, 6};
  EXPECT_EQ(ValueStep(-2, range, 3), 0U);
  EXPECT_EQ(ValueStep(6, range, 3), 8U);
  EXPECT_EQ(ValueStep(-1, range, 3), 1U);
  EXPECT_EQ(ValueStep(-3, range, 3), 0U);
  EXPECT_EQ(ValueStep(7, range, 3), 8U);
  EXPECT_EQ(ValueStep(-1e300, range, 24), 0U);
  EXPECT_EQ(ValueStep(kInf, range, 24), 1U << 24);
  EXPECT_EQ(ValueStep(-kInf, range, 24), 0U);
  EXPECT_EQ(ValueStep(std::nan(""), range, 3), std::nullopt);
  EXPECT_EQ(ValueStep(5e-324, {0, 5e-324}, 5), 32U);
  EXPECT_EQ(ValueStep(0, {-8e307, 8e307}, 5), 16U);
  EXPECT_THROW(ValueStep(0, {1, 1}, 3), Bug);
  EXPECT_THROW(ValueStep(0, {-1e308, 1e308}, 3), Bug);
  EXPECT_THROW(ValueStep(0, {std::nan(""), 1}, 3), Bug);
  EXPECT_THROW(ValueStep(0, {0, 1}, 25), Bug);
}

TEST(BernsteinTest, ARowCountsOnlyWhereAllItsValuesAreThere) {
  const std::int64_t one = std::int64_t{1} << 40;
  const std::vector<std::int64_t> missing = {0, 0, 0, 0, one};
  const BernsteinGrid pair{.shape = {1, 1}};
  EXPECT_EQ(EncodeRow(pair, 3, std::nullopt), missing);
  EXPECT_EQ(EncodeRow(pair, std::nullopt, 3), missing);
  EXPECT_EQ(EncodeRow(pair, std::nullopt, std::nullopt), missing);
  EXPECT_EQ(EncodeRow({.shape = {1, 0}}, std::nullopt), (std::vector<std::int64_t>{0, 0, one}));
  EXPECT_THROW(EncodeRow({.shape = {1, 2}}, 0, 0), Bug);
  EXPECT_THROW(EncodeRow({.shape = {5, 0}}, 0), Bug);
  EXPECT_THROW(EncodeRow({.shape = {1, 0}}, 65537), Bug);
}

// Rows of x and y in [0, 1] summed, without noise but with the noise's standard deviation.
BernsteinRelease ReleaseOfRows(const BernsteinGrid& grid, const std::vector<double>& x,
                               const std::vector<double>& y, double sd = 0) {
  std::vector<Int128> sum(CoordinatesOf(grid.shape), 0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto row = EncodeRow(grid, ValueStep(x[n], {}, grid.value_bits),
                               ValueStep(y.empty() ? 0 : y[n], {}, grid.value_bits));
    for (std::size_t i = 0; i < row.size(); ++i) sum[i] += row[i];
  }
  return ReleaseOf(grid, sum, std::ldexp(sd, static_cast<int>(grid.scale_bits)));
}

std::vector<double> Numbers(const nlohmann::json& texts) {
  std::vector<double> result;
  for (const auto& text : texts) result.push_back(NumberOf(text));
  return result;
}

TEST(BernsteinTest, MatchesVectorsOfVariance) {
  for (const auto& known : TestVectors()["bernstein_d2"]) {
    for (const auto weights : {BernsteinWeights::kOne, BernsteinWeights::kMiddle}) {
      const auto release = ReleaseOfRows({{2, 0}, weights}, Numbers(known["y"]), {});
      const std::vector<double> b = Numbers(known["b"]);
      for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(release.value[i], b[i], 1e-11);
      const auto of = [&](Moment moment) { return DecodeMoment(release, moment)->value; };
      EXPECT_NEAR(of(Moment::kCount), NumberOf(known["n"]), 1e-11);
      EXPECT_NEAR(of(Moment::kMeanX), NumberOf(known["mean"]), 1e-11);
      EXPECT_NEAR(of(Moment::kVarianceX), NumberOf(known["var_pop"]), 1e-11);
    }
  }
}

TEST(BernsteinTest, MatchesVectorsOfCovariance) {
  for (const auto& known : TestVectors()["bernstein_cov"]) {
    const std::vector<double> x = Numbers(known["x"]);
    const std::vector<double> y = Numbers(known["y"]);
    const auto corners = ReleaseOfRows({.shape = {1, 1}}, x, y);
    const std::vector<double> b = Numbers(known["b00_b01_b10_b11"]);
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(corners.value[i], b[i], 1e-11);
    for (const BernsteinShape shape : {kShapes[4], kShapes[5], kShapes[6]}) {
      const auto release = ReleaseOfRows({.shape = shape}, x, y);
      EXPECT_NEAR(DecodeMoment(release, Moment::kCovariance)->value, NumberOf(known["cov_pop"]),
                  1e-11);
    }
  }
}

TEST(BernsteinTest, LargeOffsetsLoseNothing) {
  const ValueRange range{1000000000000123, 1000000000000124};
  const BernsteinGrid grid{{1, 0}, BernsteinWeights::kOne};
  std::mt19937_64 random(2);
  Int128 upper = 0;
  double expected = 0;
  for (int n = 0; n < 5000; ++n) {
    const auto eighths = static_cast<double>(random() % 9);
    upper += EncodeRow(grid, ValueStep(range.low + eighths / 8, range, 16))[1];
    expected += eighths / 8;
  }
  EXPECT_EQ(std::ldexp(static_cast<double>(upper), -40), expected);
}

struct Data {
  std::vector<double> x;
  std::vector<double> y;
};

// Values on the grid of 2^16 steps, so that encoding changes none of them.
Data CorrelatedRows(int rows) {
  std::mt19937_64 random(11);
  Data data;
  for (int n = 0; n < rows; ++n) {
    const auto x = static_cast<double>(random() % 65537);
    const auto other = static_cast<double>(random() % 65537);
    data.x.push_back(x / 65536);
    data.y.push_back(std::floor((x + 2 * other) / 4) / 65536);
  }
  return data;
}

TEST(BernsteinTest, MomentsWithoutNoiseAreThoseOfTheRows) {
  const Data data = CorrelatedRows(1000);
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (std::size_t n = 0; n < 1000; ++n) {
    const double x = 3 + 4 * data.x[n];
    const double y = -7 + 2 * data.y[n];
    sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
  }
  const double mx = sx / 1000, my = sy / 1000;
  const double vx = sxx / 1000 - mx * mx, vy = syy / 1000 - my * my, cov = sxy / 1000 - mx * my;
  const std::array<double, 11> expected = {
      1000, 1000, sx, sy, mx, my, vx, vy, cov, cov / std::sqrt(vx * vy), cov / vx};
  for (const BernsteinShape shape : kShapes) {
    BernsteinRelease release = ReleaseOfRows({.shape = shape}, data.x, data.y);
    release.x = {3, 7};
    release.y = {-7, -5};
    for (std::size_t i = 0; i < kMoments.size(); ++i) {
      if (!Determines(shape, kMoments[i])) continue;
      EXPECT_NEAR(DecodeMoment(release, kMoments[i])->value, expected[i], 1e-7) << i;
      EXPECT_EQ(DecodeMoment(release, kMoments[i])->sd, 0);
    }
  }
  const BernsteinRelease fourth = ReleaseOfRows({.shape = {4, 0}}, data.x, {});
  double sum = 0;
  for (const double x : data.x) sum += x * x * x * x;
  EXPECT_NEAR(PowerSum({4, 0}, fourth.value, 4), sum, 1e-7);
}

TEST(BernsteinTest, ErrorsAreTheGradientTimesTheNoise) {
  const Data data = CorrelatedRows(1000);
  for (const BernsteinShape shape : kShapes) {
    BernsteinRelease release = ReleaseOfRows({.shape = shape}, data.x, data.y, 0.5);
    release.x = {3, 7};
    release.y = {-7, -5};
    for (const Moment moment : kMoments) {
      if (!Determines(shape, moment)) continue;
      double variance = 0;
      double bias = 0;
      for (std::size_t i = 0; i < release.value.size(); ++i) {
        const auto at = [&](double shift) {
          std::vector<double> moved = release.value;
          moved[i] += shift;
          return RawMoment(release, moved, moment);
        };
        const double squared = release.sd[i] * release.sd[i];
        variance += squared * std::pow(10 * (at(0.05) - at(-0.05)), 2);
        bias += squared * (at(5) - 2 * at(0) + at(-5)) / 50;
      }
      const double sd = DecodeMoment(release, moment)->sd;
      EXPECT_NEAR(sd, std::sqrt(variance), 1e-5 * sd) << static_cast<int>(moment);
      if (moment == Moment::kVarianceX || moment == Moment::kVarianceY ||
          moment == Moment::kCovariance) {
        EXPECT_NEAR(SecondOrderBias(release, moment), bias, 1e-2 * std::abs(bias));
      }
    }
  }
}

TEST(BernsteinTest, MatchesTheErrorsOfVariance) {
  // mean, variance, n^2/sigma^2 times the error's variance: without weights, with weights.
  constexpr std::array<std::array<double, 4>, 6> kKnown = {{{0.5, 0.25, 0.250, 0.0714},
                                                            {0.5, 1.0 / 12, 0.167, 0.0873},
                                                            {0.5, 0.01, 0.183, 0.1345},
                                                            {0.2, 0.16, 0.347, 0.2741},
                                                            {0.05, 0.005, 0.808, 0.8063},
                                                            {0, 0, 1, 1}}};
  for (const auto& [m, v, plain, weighted] : kKnown) {
    const double s2 = v + m * m;
    BernsteinRelease release{.shape = {2, 0}, .value = {1 - 2 * m + s2, 2 * (m - s2), s2, 0}};
    release.sd = {1e-3, 1e-3, 1e-3, 1e-3};
    EXPECT_NEAR(std::pow(DecodeMoment(release, Moment::kVarianceX)->sd * 1e3, 2), plain, 6e-4);
    release.sd[1] /= std::sqrt(3.5);
    EXPECT_NEAR(std::pow(DecodeMoment(release, Moment::kVarianceX)->sd * 1e3, 2), weighted, 6e-5);
    const double known = 1e-6 * ((v - 2 * m * m) + (v - 0.25 + 2 * m - 2 * m * m) / 3.5 +
                                 (v - 2 + 4 * m - 2 * m * m));
    EXPECT_NEAR(SecondOrderBias(release, Moment::kVarianceX), known, 1e-15);
  }
}

TEST(BernsteinTest, NothingIsSaidWhereADenominatorIsNotClear) {
  const Data data = CorrelatedRows(100);
  const auto decoded = [&](BernsteinShape shape, double sd, Moment moment) {
    return DecodeMoment(ReleaseOfRows({.shape = shape}, data.x, data.y, sd), moment);
  };
  EXPECT_TRUE(decoded({1, 0}, 23, Moment::kMeanX).has_value());
  EXPECT_FALSE(decoded({1, 0}, 24, Moment::kMeanX).has_value());
  EXPECT_TRUE(decoded({1, 0}, 1000, Moment::kCount).has_value());
  EXPECT_TRUE(decoded({2, 1}, 0.1, Moment::kSlope).has_value());
  EXPECT_FALSE(decoded({2, 1}, 10, Moment::kSlope).has_value());
  EXPECT_TRUE(decoded({2, 1}, 10, Moment::kCovariance).has_value());
  const BernsteinRelease negative{{2, 0}, {}, {}, {-1, -1, -1, 0}, {0, 0, 0, 0}};
  EXPECT_FALSE(DecodeMoment(negative, Moment::kVarianceX).has_value());
  EXPECT_TRUE(std::isnan(RawMoment(negative, negative.value, Moment::kVarianceX)));
  const BernsteinRelease empty{{2, 0}, {}, {}, {0, 0, 0, 0}, {1, 1, 1, 1}};
  EXPECT_FALSE(DecodeMoment(empty, Moment::kMeanX).has_value());
  EXPECT_EQ(DecodeMoment(empty, Moment::kRows)->value, 0);
  EXPECT_THROW(DecodeMoment(empty, Moment::kCovariance), Bug);
}

TEST(BernsteinTest, EstimatesStayInTheirRange) {
  std::mt19937_64 random(5);
  for (int n = 0; n < 2000; ++n) {
    BernsteinRelease release{.shape = {2, 2}, .x = {-1, 3}, .y = {2, 5}};
    for (int i = 0; i < 10; ++i) {
      release.value.push_back(static_cast<double>(random() % 2001) - 700);
      release.sd.push_back(1);
    }
    for (const Moment moment : kMoments) {
      const auto estimate = DecodeMoment(release, moment);
      if (!estimate || moment <= Moment::kSumY) continue;
      const ValueRange range = NaturalRange(release, moment);
      ASSERT_TRUE(estimate->value >= range.low && estimate->value <= range.high);
    }
  }
}

}  // namespace
}  // namespace dpsql
