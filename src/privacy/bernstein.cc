#include "privacy/bernstein.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "privacy/interval.h"

namespace dpsql {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kClearlyPositive = 3.0;  // standard deviations; below, an answer is an artefact
constexpr double kWellPositive = 10.0;    // where a plug-in bias is better than none

constexpr std::uint64_t Choose(unsigned n, unsigned k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  for (unsigned i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

void CheckShape(BernsteinShape shape) {
  const unsigned x = shape.x_degree;
  const unsigned y = shape.y_degree;
  const bool one_value = y == 0 && x >= 1 && x <= 4;
  const bool two_values = x <= 2 && y >= 1 && y <= x;
  Check(one_value || two_values, "a Bernstein shape has degrees 1 to 4, (1,1), (2,1) or (2,2)");
}

std::size_t CellsOf(BernsteinShape shape) {
  return std::size_t{shape.x_degree + 1} * (shape.y_degree + 1);
}

// The Bezier ordinate of x^a y^b at a cell: C(i,a)/C(dx,a) C(j,b)/C(dy,b).
double OrdinateOf(BernsteinShape shape, std::size_t cell, unsigned a, unsigned b) {
  const auto i = static_cast<unsigned>(cell / (shape.y_degree + 1));
  const auto j = static_cast<unsigned>(cell % (shape.y_degree + 1));
  const auto in_x =
      static_cast<double>(Choose(i, a)) / static_cast<double>(Choose(shape.x_degree, a));
  const auto in_y =
      static_cast<double>(Choose(j, b)) / static_cast<double>(Choose(shape.y_degree, b));
  return in_x * in_y;
}

// Moments of (x-L)/(U-L) and (y-L)/(U-L); those that the shape does not determine are 0.
struct UnitMoments {
  double n = 0;
  double mean_x = 0;
  double mean_y = 0;
  double variance_x = 0;
  double variance_y = 0;
  double covariance = 0;
};

UnitMoments UnitMomentsOf(BernsteinShape shape, std::span<const double> value) {
  const auto mean = [&](unsigned a, unsigned b) {
    return PowerSum(shape, value, a, b) / PowerSum(shape, value, 0, 0);
  };
  UnitMoments unit{.n = PowerSum(shape, value, 0, 0), .mean_x = mean(1, 0)};
  if (shape.x_degree >= 2) unit.variance_x = mean(2, 0) - unit.mean_x * unit.mean_x;
  if (shape.y_degree == 0) return unit;
  unit.mean_y = mean(0, 1);
  unit.covariance = mean(1, 1) - unit.mean_x * unit.mean_y;
  if (shape.y_degree >= 2) unit.variance_y = mean(0, 2) - unit.mean_y * unit.mean_y;
  return unit;
}

// What one more row at (x, y) adds to a moment, times n: a polynomial in x and y of degree at most
// 2 in each, as its coefficients. A moment's gradient in the coordinates is its ordinates over n.
struct Influence {
  double one = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  double yy = 0;

  void Add(const Influence& other, double factor) {
    one += factor * other.one;
    x += factor * other.x;
    y += factor * other.y;
    xx += factor * other.xx;
    xy += factor * other.xy;
    yy += factor * other.yy;
  }
};

Influence OfVarianceX(const UnitMoments& unit) {
  return {.one = unit.mean_x * unit.mean_x - unit.variance_x, .x = -2 * unit.mean_x, .xx = 1};
}

Influence OfVarianceY(const UnitMoments& unit) {
  return {.one = unit.mean_y * unit.mean_y - unit.variance_y, .y = -2 * unit.mean_y, .yy = 1};
}

Influence OfCovariance(const UnitMoments& unit) {
  return {.one = unit.mean_x * unit.mean_y - unit.covariance,
          .x = -unit.mean_y,
          .y = -unit.mean_x,
          .xy = 1};
}

Influence OfCorrelation(const UnitMoments& unit) {
  const double scale = std::sqrt(unit.variance_x * unit.variance_y);
  const double correlation = unit.covariance / scale;
  Influence result;
  result.Add(OfCovariance(unit), 1 / scale);
  result.Add(OfVarianceX(unit), -correlation / (2 * unit.variance_x));
  result.Add(OfVarianceY(unit), -correlation / (2 * unit.variance_y));
  return result;
}

Influence OfSlope(const UnitMoments& unit) {
  Influence result;
  result.Add(OfCovariance(unit), 1 / unit.variance_x);
  result.Add(OfVarianceX(unit), -unit.covariance / (unit.variance_x * unit.variance_x));
  return result;
}

double Width(ValueRange range) { return range.high - range.low; }

// From moments of unit ranges to those of the columns; means and sums also need their offset.
double UnitOf(const BernsteinRelease& release, Moment moment) {
  const double x = Width(release.x);
  const double y = Width(release.y);
  switch (moment) {
    case Moment::kRows:
    case Moment::kCount:
    case Moment::kCorrelation:
      return 1;
    case Moment::kSumX:
    case Moment::kMeanX:
      return x;
    case Moment::kSumY:
    case Moment::kMeanY:
      return y;
    case Moment::kVarianceX:
      return x * x;
    case Moment::kVarianceY:
      return y * y;
    case Moment::kCovariance:
      return x * y;
    case Moment::kSlope:
      return y / x;
    case Moment::kIntercept:
      return 1;
  }
  throw Bug("a moment has a unit");
}

// mean_y - slope mean_x, all in units of the columns.
Influence OfIntercept(const BernsteinRelease& release, const UnitMoments& unit) {
  const double x = Width(release.x);
  const double y = Width(release.y);
  const double slope = unit.covariance / unit.variance_x * y / x;
  Influence result{.one = -unit.mean_y * y, .y = y};
  result.Add({.one = -unit.mean_x * x, .x = x}, -slope);
  result.Add(OfSlope(unit), -(release.x.low + x * unit.mean_x) * y / x);
  return result;
}

// The influence in units of the columns. Of a sum it is n times its weights, which are exact.
Influence InfluenceOf(const BernsteinRelease& release, const UnitMoments& unit, Moment moment) {
  const double scale = UnitOf(release, moment);
  Influence result;
  switch (moment) {
    case Moment::kRows:
    case Moment::kCount:
      return {.one = unit.n};
    case Moment::kSumX:
      return {.one = unit.n * release.x.low, .x = unit.n * scale};
    case Moment::kSumY:
      return {.one = unit.n * release.y.low, .y = unit.n * scale};
    case Moment::kMeanX:
      return {.one = -unit.mean_x * scale, .x = scale};
    case Moment::kMeanY:
      return {.one = -unit.mean_y * scale, .y = scale};
    case Moment::kVarianceX:
      result.Add(OfVarianceX(unit), scale);
      return result;
    case Moment::kVarianceY:
      result.Add(OfVarianceY(unit), scale);
      return result;
    case Moment::kCovariance:
      result.Add(OfCovariance(unit), scale);
      return result;
    case Moment::kCorrelation:
      result.Add(OfCorrelation(unit), scale);
      return result;
    case Moment::kSlope:
      result.Add(OfSlope(unit), scale);
      return result;
    case Moment::kIntercept:
      return OfIntercept(release, unit);
  }
  throw Bug("a moment has an influence");
}

double OrdinateOf(const Influence& influence, BernsteinShape shape, std::size_t cell) {
  double sum = influence.one;
  sum += influence.x * OrdinateOf(shape, cell, 1, 0);
  if (influence.xx != 0) sum += influence.xx * OrdinateOf(shape, cell, 2, 0);
  if (influence.y != 0) sum += influence.y * OrdinateOf(shape, cell, 0, 1);
  if (influence.xy != 0) sum += influence.xy * OrdinateOf(shape, cell, 1, 1);
  if (influence.yy != 0) sum += influence.yy * OrdinateOf(shape, cell, 0, 2);
  return sum;
}

// The noise of a moment to first order: the parts sd_i beta_i / n of all coordinates.
NoiseParts FirstOrderOf(const BernsteinRelease& release, const UnitMoments& unit, Moment moment) {
  const Influence influence = InfluenceOf(release, unit, moment);
  const std::size_t cells = CellsOf(release.shape);
  NoiseParts noise;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    noise.Add(release.sd[cell] * (OrdinateOf(influence, release.shape, cell) / unit.n));
  }
  if (moment == Moment::kRows) noise.Add(release.sd[cells]);
  return noise;
}

double FirstOrderSd(const BernsteinRelease& release, const UnitMoments& unit, Moment moment) {
  return FirstOrderOf(release, unit, moment).sd();
}

bool ClearlyPositive(const BernsteinRelease& release, const UnitMoments& unit, Moment variance) {
  const double value = variance == Moment::kVarianceX ? unit.variance_x : unit.variance_y;
  const double sd = FirstOrderSd(release, unit, variance) / UnitOf(release, variance);
  return value > 0 && value > kClearlyPositive * sd;
}

// Whether every denominator of the moment is clearly positive.
bool HasDenominators(const BernsteinRelease& release, const UnitMoments& unit, Moment moment) {
  const double count_sd = FirstOrderSd(release, unit, Moment::kCount);
  if (!(unit.n > 0) || unit.n < kClearlyPositive * count_sd) return false;
  if (moment == Moment::kSlope || moment == Moment::kIntercept) {
    return ClearlyPositive(release, unit, Moment::kVarianceX);
  }
  if (moment != Moment::kCorrelation) return true;
  return ClearlyPositive(release, unit, Moment::kVarianceX) &&
         ClearlyPositive(release, unit, Moment::kVarianceY);
}

bool IsLinear(Moment moment) {
  return moment == Moment::kRows || moment == Moment::kCount || moment == Moment::kSumX ||
         moment == Moment::kSumY;
}

bool IsSecond(Moment moment) {
  return moment == Moment::kVarianceX || moment == Moment::kVarianceY ||
         moment == Moment::kCovariance;
}

void CheckRelease(const BernsteinRelease& release, Moment moment) {
  Check(Determines(release.shape, moment), "the coordinates determine the moment");
  const std::size_t coordinates = CoordinatesOf(release.shape);
  Check(release.value.size() == coordinates && release.sd.size() == coordinates,
        "a release has one value and one sd a coordinate");
}

}  // namespace

std::size_t CoordinatesOf(BernsteinShape shape) {
  CheckShape(shape);
  return CellsOf(shape) + 1;
}

double PowerSum(BernsteinShape shape, std::span<const double> value, unsigned a, unsigned b) {
  Check(value.size() == CoordinatesOf(shape), "a power sum reads every coordinate");
  Check(a <= shape.x_degree && b <= shape.y_degree, "a power is at most the degree");
  double sum = 0;
  for (std::size_t cell = 0; cell < CellsOf(shape); ++cell) {
    sum += OrdinateOf(shape, cell, a, b) * value[cell];
  }
  return sum;
}

bool Determines(BernsteinShape shape, Moment moment) {
  CheckShape(shape);
  switch (moment) {
    case Moment::kRows:
    case Moment::kCount:
    case Moment::kSumX:
    case Moment::kMeanX:
      return true;
    case Moment::kSumY:
    case Moment::kMeanY:
    case Moment::kCovariance:
      return shape.y_degree >= 1;
    case Moment::kVarianceX:
      return shape.x_degree >= 2;
    case Moment::kVarianceY:
      return shape.y_degree >= 2;
    case Moment::kCorrelation:
      return shape.x_degree >= 2 && shape.y_degree >= 2;
    case Moment::kSlope:
    case Moment::kIntercept:
      return shape.x_degree >= 2 && shape.y_degree >= 1;
  }
  return false;
}

double RawMoment(const BernsteinRelease& release, std::span<const double> value, Moment moment) {
  CheckRelease(release, moment);
  const UnitMoments unit = UnitMomentsOf(release.shape, value);
  const double scale = UnitOf(release, moment);
  switch (moment) {
    case Moment::kRows:
      return unit.n + value[CellsOf(release.shape)];
    case Moment::kCount:
      return unit.n;
    case Moment::kSumX:
      return release.x.low * unit.n + scale * PowerSum(release.shape, value, 1, 0);
    case Moment::kSumY:
      return release.y.low * unit.n + scale * PowerSum(release.shape, value, 0, 1);
    case Moment::kMeanX:
      return unit.n > 0 ? release.x.low + scale * unit.mean_x : std::nan("");
    case Moment::kMeanY:
      return unit.n > 0 ? release.y.low + scale * unit.mean_y : std::nan("");
    case Moment::kVarianceX:
      return unit.n > 0 ? scale * unit.variance_x : std::nan("");
    case Moment::kVarianceY:
      return unit.n > 0 ? scale * unit.variance_y : std::nan("");
    case Moment::kCovariance:
      return unit.n > 0 ? scale * unit.covariance : std::nan("");
    case Moment::kCorrelation:
      if (!(unit.n > 0 && unit.variance_x > 0 && unit.variance_y > 0)) return std::nan("");
      return unit.covariance / std::sqrt(unit.variance_x * unit.variance_y);
    case Moment::kSlope:
      if (!(unit.n > 0 && unit.variance_x > 0)) return std::nan("");
      return scale * unit.covariance / unit.variance_x;
    case Moment::kIntercept:
      if (!(unit.n > 0 && unit.variance_x > 0)) return std::nan("");
      return release.y.low + Width(release.y) * unit.mean_y -
             Width(release.y) / Width(release.x) * unit.covariance / unit.variance_x *
                 (release.x.low + Width(release.x) * unit.mean_x);
  }
  throw Bug("a moment has a value");
}

ValueRange NaturalRange(const BernsteinRelease& release, Moment moment) {
  const double quarter = UnitOf(release, moment) / 4;
  switch (moment) {
    case Moment::kRows:
    case Moment::kCount:
      return {0, kInfinity};
    case Moment::kMeanX:
      return release.x;
    case Moment::kMeanY:
      return release.y;
    case Moment::kVarianceX:
    case Moment::kVarianceY:
      return {0, quarter};
    case Moment::kCovariance:
      return {-quarter, quarter};
    case Moment::kCorrelation:
      return {-1, 1};
    case Moment::kSumX:
    case Moment::kSumY:
    case Moment::kSlope:
    case Moment::kIntercept:
      return {-kInfinity, kInfinity};
  }
  throw Bug("a moment has a range");
}

double SecondOrderBias(const BernsteinRelease& release, Moment moment) {
  CheckRelease(release, moment);
  Check(IsSecond(moment), "the second-order bias is known of variances and covariances");
  const UnitMoments unit = UnitMomentsOf(release.shape, release.value);
  // The two factors of the product moment: both x, both y, or one of each.
  const bool x_first = moment != Moment::kVarianceY;
  const bool x_second = moment == Moment::kVarianceX;
  const double mean_1 = x_first ? unit.mean_x : unit.mean_y;
  const double mean_2 = x_second ? unit.mean_x : unit.mean_y;
  const double second = moment == Moment::kCovariance ? unit.covariance
                        : x_first                     ? unit.variance_x
                                                      : unit.variance_y;
  double bias = 0;
  for (std::size_t cell = 0; cell < CellsOf(release.shape); ++cell) {
    const auto ordinate = [&](unsigned a, unsigned b) {
      return OrdinateOf(release.shape, cell, a, b);
    };
    const double first_1 = x_first ? ordinate(1, 0) : ordinate(0, 1);
    const double first_2 = x_second ? ordinate(1, 0) : ordinate(0, 1);
    const double product = moment == Moment::kCovariance ? ordinate(1, 1)
                           : x_first                     ? ordinate(2, 0)
                                                         : ordinate(0, 2);
    const double curvature = second - product - first_1 * first_2 + 2 * mean_2 * first_1 +
                             2 * mean_1 * first_2 - 2 * mean_1 * mean_2;
    const double relative = release.sd[cell] / unit.n;
    bias += relative * relative * curvature;
  }
  return bias * UnitOf(release, moment);
}

std::optional<MomentEstimate> DecodeMoment(const BernsteinRelease& release, Moment moment) {
  CheckRelease(release, moment);
  UnitMoments unit = UnitMomentsOf(release.shape, release.value);
  if (IsLinear(moment)) {
    // The weights of a linear moment do not depend on the data, and n cancels from them.
    unit.n = 1;
    const NoiseParts noise = FirstOrderOf(release, unit, moment);
    return MomentEstimate{.value = RawMoment(release, release.value, moment),
                          .sd = noise.sd(),
                          .concentration = noise.concentration()};
  }
  if (!HasDenominators(release, unit, moment)) return std::nullopt;
  double value = RawMoment(release, release.value, moment);
  const double count_sd = FirstOrderSd(release, unit, Moment::kCount);
  if (IsSecond(moment) && unit.n > kWellPositive * count_sd) {
    value -= SecondOrderBias(release, moment);
  }
  const ValueRange range = NaturalRange(release, moment);
  const NoiseParts noise = FirstOrderOf(release, unit, moment);
  return MomentEstimate{.value = std::clamp(value, range.low, range.high),
                        .sd = noise.sd(),
                        .concentration = noise.concentration()};
}

}  // namespace dpsql
