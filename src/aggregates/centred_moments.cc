#include "aggregates/centred_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "aggregates/moments.h"
#include "base/check.h"

namespace dpsql {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double Width(ValueRange range) { return range.high - range.low; }

// Of the sum of x^a y^b, which is linear in the coordinates: its value at each alone.
std::vector<double> PowerWeights(BernsteinShape shape, unsigned a, unsigned b) {
  std::vector<double> weights;
  std::vector<double> alone(CoordinatesOf(shape), 0.0);
  for (double& coordinate : alone) {
    coordinate = 1;
    weights.push_back(PowerSum(shape, alone, a, b));
    coordinate = 0;
  }
  return weights;
}

// From a moment of unit ranges to that of the columns.
struct Units {
  double scale = 1;
  double offset = 0;
};

Units UnitsOf(const BernsteinRelease& release, Moment moment) {
  const double x = Width(release.x);
  const double y = Width(release.y);
  switch (moment) {
    case Moment::kMeanX:
      return {.scale = x, .offset = release.x.low};
    case Moment::kVarianceX:
      return {.scale = x * x};
    case Moment::kCovariance:
      return {.scale = x * y};
    case Moment::kSlope:
      return {.scale = y / x};
    case Moment::kIntercept:
      return {.scale = y, .offset = release.y.low};
    default:
      return {};
  }
}

// The zero of the column of x, where its bounds are 0 and 1.
double ZeroOf(ValueRange x) { return -x.low / Width(x); }

}  // namespace

CentredMoments::CentredMoments(const StatisticSample& released)
    : release_(ReleaseOf(released)), mechanism_(released.mechanism) {
  const BernsteinShape shape = release_.shape;
  count_ = PowerSum(shape, release_.value, 0, 0);
  Check(count_ > 0, "moments are of a positive count");
  mean_x_ = PowerSum(shape, release_.value, 1, 0) / count_;
  if (shape.y_degree > 0) mean_y_ = PowerSum(shape, release_.value, 0, 1) / count_;
  zero_x_ = ZeroOf(release_.x);
  const double xx = CovarianceOf(OfX(), OfX());
  const double xy = shape.y_degree > 0 ? CovarianceOf(OfX(), OfY()) : 0;
  const double yy = shape.y_degree > 0 ? CovarianceOf(OfY(), OfY()) : 0;
  noise_ = {.xx = xx, .xy = xy, .yy = yy};
}

CentredMoments::CentredSum& CentredMoments::CentredSum::Add(const CentredSum& other,
                                                            double factor) {
  weights.resize(other.weights.size(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += factor * other.weights[i];
  products.xx += factor * other.products.xx;
  products.xy += factor * other.products.xy;
  products.yy += factor * other.products.yy;
  return *this;
}

CentredMoments::CentredSum CentredMoments::PowersOf(unsigned a, unsigned b) const {
  return {.weights = PowerWeights(release_.shape, a, b), .products = {}};
}

CentredMoments::CentredSum CentredMoments::OfX() const {
  return PowersOf(1, 0).Add(Count(), -mean_x_);
}

CentredMoments::CentredSum CentredMoments::OfY() const {
  return PowersOf(0, 1).Add(Count(), -mean_y_);
}

CentredMoments::CentredSum CentredMoments::OfXX() const {
  CentredSum sum = PowersOf(2, 0);
  sum.products.xx = 1;
  return sum.Add(PowersOf(1, 0), -2 * mean_x_).Add(Count(), mean_x_ * mean_x_);
}

CentredMoments::CentredSum CentredMoments::OfYY() const {
  CentredSum sum = PowersOf(0, 2);
  sum.products.yy = 1;
  return sum.Add(PowersOf(0, 1), -2 * mean_y_).Add(Count(), mean_y_ * mean_y_);
}

CentredMoments::CentredSum CentredMoments::OfXY() const {
  CentredSum sum = PowersOf(1, 1);
  sum.products.xy = 1;
  sum.Add(PowersOf(1, 0), -mean_y_).Add(PowersOf(0, 1), -mean_x_);
  return sum.Add(Count(), mean_x_ * mean_y_);
}

// m_y S_xx - m_x S_xy, m_x counted from the column's zero, made linear in all four.
CentredMoments::CentredSum CentredMoments::OfIntercept() const {
  const CentredSum xx = OfXX();
  const CentredSum xy = OfXY();
  CentredSum sum;
  sum.Add(xx, mean_y_).Add(xy, zero_x_ - mean_x_);
  return sum.Add(OfY(), ValueOf(xx) / count_).Add(OfX(), -ValueOf(xy) / count_);
}

// sqrt(S_xx S_yy), made linear in both.
CentredMoments::CentredSum CentredMoments::OfBothSpreads() const {
  const CentredSum xx = OfXX();
  const CentredSum yy = OfYY();
  const double ratio = std::sqrt(ValueOf(yy) / ValueOf(xx));
  CentredSum sum;
  return sum.Add(xx, ratio / 2).Add(yy, 1 / (2 * ratio));
}

// With the expectation of the products, which centring took off.
double CentredMoments::ValueOf(const CentredSum& sum) const {
  double value = 0;
  for (std::size_t i = 0; i < sum.weights.size(); ++i) value += sum.weights[i] * release_.value[i];
  const Products& of = sum.products;
  return value + (of.xx * noise_.xx + of.xy * noise_.xy + of.yy * noise_.yy) / count_;
}

// Of the linear parts, and of the products: 2 tr(Q V R V) / n^2 for normal noise of covariance V
// and the quadratic forms Q and R.
double CentredMoments::CovarianceOf(const CentredSum& one, const CentredSum& other) const {
  double linear = 0;
  for (std::size_t i = 0; i < one.weights.size(); ++i) {
    linear += release_.sd[i] * release_.sd[i] * one.weights[i] * other.weights[i];
  }
  const auto times_noise = [&](const Products& of) {
    const double half = of.xy / 2;
    return std::array<double, 4>{
        of.xx * noise_.xx + half * noise_.xy, of.xx * noise_.xy + half * noise_.yy,
        half * noise_.xx + of.yy * noise_.xy, half * noise_.xy + of.yy * noise_.yy};
  };
  const auto q = times_noise(one.products);
  const auto r = times_noise(other.products);
  const double trace = q[0] * r[0] + q[1] * r[2] + q[2] * r[1] + q[3] * r[3];
  return linear + 2 * trace / (count_ * count_);
}

std::optional<ErrorInterval> CentredMoments::RatioOf(const CentredSum& above,
                                                     const CentredSum& below) const {
  const NoisyRatio ratio{.numerator = ValueOf(above),
                         .denominator = ValueOf(below),
                         .numerator_variance = CovarianceOf(above, above),
                         .denominator_variance = CovarianceOf(below, below),
                         .covariance = CovarianceOf(above, below)};
  if (!(ratio.denominator > 0)) return std::nullopt;
  CentredSum difference = above;
  difference.Add(below, -ratio.numerator / ratio.denominator);
  NoiseParts noise;
  for (std::size_t i = 0; i < difference.weights.size(); ++i) {
    noise.Add(difference.weights[i] * release_.sd[i]);
  }
  return FiellerInterval(ratio, MarginFactor(mechanism_, noise.concentration()));
}

std::optional<ErrorInterval> CentredMoments::UnitIntervalOf(Moment moment) const {
  switch (moment) {
    case Moment::kMeanX:
      return RatioOf(PowersOf(1, 0), Count());
    case Moment::kVarianceX:
      return RatioOf(OfXX(), Count());
    case Moment::kCovariance:
      return RatioOf(OfXY(), Count());
    case Moment::kSlope:
      return RatioOf(OfXY(), OfXX());
    case Moment::kIntercept:
      return RatioOf(OfIntercept(), OfXX());
    case Moment::kCorrelation:
      if (!(ValueOf(OfXX()) > 0 && ValueOf(OfYY()) > 0)) return std::nullopt;
      return RatioOf(OfXY(), OfBothSpreads());
    default:
      throw Bug("these intervals are of moments that are not linear");
  }
}

std::optional<ErrorInterval> CentredMoments::IntervalOf(Moment moment) const {
  const ValueRange range = NaturalRange(release_, moment);
  const auto unit = UnitIntervalOf(moment);
  if (!unit) {
    if (!std::isfinite(Width(range))) return std::nullopt;
    return ErrorInterval{range.low, range.high};
  }
  const auto [scale, offset] = UnitsOf(release_, moment);
  return ErrorInterval{std::clamp(offset + scale * unit->low, range.low, range.high),
                       std::clamp(offset + scale * unit->high, range.low, range.high)};
}

MomentDrawer::MomentDrawer(const StatisticSample& released, Moment moment) : moment_(moment) {
  const BernsteinRelease release = ReleaseOf(released);
  for (unsigned a = 0; a <= std::min(2U, release.shape.x_degree); ++a) {
    for (unsigned b = 0; b <= release.shape.y_degree && a + b <= 2; ++b) {
      sums_.push_back({.a = a, .b = b, .weights = PowerWeights(release.shape, a, b)});
    }
  }
  const double n = Sum(0, 0, released);
  mean_x_ = Sum(1, 0, released) / n;
  mean_y_ = Sum(0, 1, released) / n;
  zero_x_ = ZeroOf(release.x);
  const auto [scale, offset] = UnitsOf(release, moment);
  scale_ = scale;
  offset_ = offset;
  range_ = NaturalRange(release, moment);
}

// 0 where the shape does not determine it.
double MomentDrawer::Sum(unsigned a, unsigned b, const StatisticSample& drawn) const {
  double sum = 0;
  for (const PowerSumWeights& power : sums_) {
    if (power.a != a || power.b != b) continue;
    for (std::size_t i = 0; i < drawn.value.size(); ++i) sum += power.weights[i] * drawn.value[i];
  }
  return sum;
}

double MomentDrawer::UnitValue(const StatisticSample& drawn) const {
  const double n = Sum(0, 0, drawn);
  if (!(n > 0)) return kNone;
  const double mean_x = Sum(1, 0, drawn) / n;
  if (moment_ == Moment::kMeanX) return mean_x;
  const double mean_y = Sum(0, 1, drawn) / n;
  const double moved_x = mean_x - mean_x_;
  const double moved_y = mean_y - mean_y_;
  const double xx = Sum(2, 0, drawn) / n - mean_x * mean_x + 2 * moved_x * moved_x;
  if (moment_ == Moment::kVarianceX) return xx;
  const double xy = Sum(1, 1, drawn) / n - mean_x * mean_y + 2 * moved_x * moved_y;
  if (moment_ == Moment::kCovariance) return xy;
  if (!(xx > 0)) return kNone;
  if (moment_ == Moment::kSlope) return xy / xx;
  if (moment_ == Moment::kIntercept) return mean_y - xy / xx * (mean_x - zero_x_);
  Check(moment_ == Moment::kCorrelation, "draws are of moments that are not linear");
  const double yy = Sum(0, 2, drawn) / n - mean_y * mean_y + 2 * moved_y * moved_y;
  return yy > 0 ? xy / std::sqrt(xx * yy) : kNone;
}

double MomentDrawer::operator()(const StatisticSample& drawn) const {
  const double value = offset_ + scale_ * UnitValue(drawn);
  return std::clamp(value, range_.low, range_.high);
}

}  // namespace dpsql
