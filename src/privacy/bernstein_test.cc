#include "privacy/bernstein.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "base/check.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

constexpr std::array<BernsteinShape, 7> kShapes = {
    {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {1, 1}, {2, 1}, {2, 2}}};
constexpr std::array<Moment, 12> kMoments = {
    Moment::kRows,       Moment::kCount,       Moment::kSumX,      Moment::kSumY,
    Moment::kMeanX,      Moment::kMeanY,       Moment::kVarianceX, Moment::kVarianceY,
    Moment::kCovariance, Moment::kCorrelation, Moment::kSlope,     Moment::kIntercept};

// Rows of x and y in [0, 1] summed, without noise but with the noise's standard deviation.
BernsteinRelease ReleaseOfRows(BernsteinShape shape, const std::vector<double>& x,
                               const std::vector<double>& y, double sd = 0) {
  const auto basis = [](unsigned degree, unsigned i, double u) {
    double b = 1;
    for (unsigned k = 0; k < i; ++k) b *= u * (degree - k) / (k + 1);
    return b * std::pow(1 - u, degree - i);
  };
  BernsteinRelease release{.shape = shape};
  release.value.assign(CoordinatesOf(shape), 0.0);
  release.sd.assign(CoordinatesOf(shape), sd);
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (std::size_t cell = 0; cell + 1 < release.value.size(); ++cell) {
      const auto i = static_cast<unsigned>(cell / (shape.y_degree + 1));
      const auto j = static_cast<unsigned>(cell % (shape.y_degree + 1));
      const double other = y.empty() ? 1.0 : basis(shape.y_degree, j, y[n]);
      release.value[cell] += basis(shape.x_degree, i, x[n]) * other;
    }
  }
  return release;
}

std::vector<double> Numbers(const nlohmann::json& texts) {
  std::vector<double> result;
  for (const auto& text : texts) result.push_back(NumberOf(text));
  return result;
}

TEST(BernsteinTest, MatchesVectorsOfVariance) {
  for (const auto& known : TestVectors()["bernstein_d2"]) {
    const auto release = ReleaseOfRows({2, 0}, Numbers(known["y"]), {});
    const std::vector<double> b = Numbers(known["b"]);
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(release.value[i], b[i], 1e-11);
    const auto of = [&](Moment moment) { return DecodeMoment(release, moment)->value; };
    EXPECT_NEAR(of(Moment::kCount), NumberOf(known["n"]), 1e-11);
    EXPECT_NEAR(of(Moment::kMeanX), NumberOf(known["mean"]), 1e-11);
    EXPECT_NEAR(of(Moment::kVarianceX), NumberOf(known["var_pop"]), 1e-11);
  }
}

TEST(BernsteinTest, MatchesVectorsOfCovariance) {
  for (const auto& known : TestVectors()["bernstein_cov"]) {
    const std::vector<double> x = Numbers(known["x"]);
    const std::vector<double> y = Numbers(known["y"]);
    const auto corners = ReleaseOfRows({1, 1}, x, y);
    const std::vector<double> b = Numbers(known["b00_b01_b10_b11"]);
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(corners.value[i], b[i], 1e-11);
    for (const BernsteinShape shape : {kShapes[4], kShapes[5], kShapes[6]}) {
      const auto release = ReleaseOfRows(shape, x, y);
      EXPECT_NEAR(DecodeMoment(release, Moment::kCovariance)->value, NumberOf(known["cov_pop"]),
                  1e-11);
    }
  }
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
  const std::array<double, 12> expected = {1000,     1000,
                                           sx,       sy,
                                           mx,       my,
                                           vx,       vy,
                                           cov,      cov / std::sqrt(vx * vy),
                                           cov / vx, my - cov / vx * mx};
  for (const BernsteinShape shape : kShapes) {
    BernsteinRelease release = ReleaseOfRows(shape, data.x, data.y);
    release.x = {3, 7};
    release.y = {-7, -5};
    for (std::size_t i = 0; i < kMoments.size(); ++i) {
      if (!Determines(shape, kMoments[i])) continue;
      EXPECT_NEAR(DecodeMoment(release, kMoments[i])->value, expected[i], 1e-7) << i;
      EXPECT_EQ(DecodeMoment(release, kMoments[i])->sd, 0);
    }
  }
  const BernsteinRelease fourth = ReleaseOfRows({4, 0}, data.x, {});
  double sum = 0;
  for (const double x : data.x) sum += x * x * x * x;
  EXPECT_NEAR(PowerSum({4, 0}, fourth.value, 4), sum, 1e-7);
}

TEST(BernsteinTest, ErrorsAreTheGradientTimesTheNoise) {
  const Data data = CorrelatedRows(1000);
  for (const BernsteinShape shape : kShapes) {
    BernsteinRelease release = ReleaseOfRows(shape, data.x, data.y, 0.5);
    release.x = {3, 7};
    release.y = {-7, -5};
    for (const Moment moment : kMoments) {
      if (!Determines(shape, moment)) continue;
      double variance = 0;
      double fourths = 0;
      double bias = 0;
      for (std::size_t i = 0; i < release.value.size(); ++i) {
        const auto at = [&](double shift) {
          std::vector<double> moved = release.value;
          moved[i] += shift;
          return RawMoment(release, moved, moment);
        };
        const double squared = release.sd[i] * release.sd[i];
        const double part = squared * std::pow(10 * (at(0.05) - at(-0.05)), 2);
        variance += part;
        fourths += part * part;
        bias += squared * (at(5) - 2 * at(0) + at(-5)) / 50;
      }
      const double sd = DecodeMoment(release, moment)->sd;
      EXPECT_NEAR(DecodeMoment(release, moment)->concentration, fourths / (variance * variance),
                  1e-4);
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
    return DecodeMoment(ReleaseOfRows(shape, data.x, data.y, sd), moment);
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
