#include "random/tolerance.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace dpsql {
namespace {

// What integer coordinates of 40 bits and floating point lose, where the range is 1.
constexpr double kSlack = 1e-10;
constexpr double kRelative = 1e-11;

// All in units of the range: values lie in [0, 1].
struct Rounding {
  double half_step = 0;
  double sd_x = 0;
  double sd_y = 0;

  double mean() const { return half_step + kSlack; }
  double variance(double sd) const { return half_step * (2 * sd + half_step) + kSlack; }
  double deviation(double sd) const {
    return half_step + std::min(std::sqrt(kSlack), kSlack / std::max(sd, kSlack));
  }
  double covariance() const { return half_step * (sd_x + sd_y + half_step) + kSlack; }
};

// An error of a quotient, or nothing where the denominator may be zero.
std::optional<double> QuotientError(double quotient, double top, double bottom,
                                    double bottom_error) {
  if (bottom <= 2 * bottom_error) return std::nullopt;
  return (top + std::abs(quotient) * bottom_error) / (bottom - bottom_error);
}

double Width(Range range) { return range.high - range.low; }

double Size(Range range) {
  return std::max({Width(range), std::abs(range.low), std::abs(range.high)});
}

// The largest answer of a measure. The engine may have concluded narrower bounds, which makes it
// smaller, but for a slope: the bounds of x are as wide as the data at least.
double LargestAnswer(const Item& item, const Moments& moments) {
  const double x = Size(item.x_range);
  switch (item.measure) {
    case Measure::kVarPop:
    case Measure::kVarSamp:
    case Measure::kVariance:
      return x * x;
    case Measure::kCovarPop:
    case Measure::kCovarSamp:
      return x * Size(item.y_range);
    case Measure::kRegrSlope: {
      const double data = std::max(std::abs(moments.mean_x), 2 * std::sqrt(moments.variance_x));
      return Size(item.y_range) / std::min(x, data);
    }
    case Measure::kRegrIntercept:
      return Size(item.y_range);
    case Measure::kCorr:
    case Measure::kRegrR2:
      return 1;
    default:
      return x;
  }
}

// Half of the last decimal that an answer is shown with.
double ShownError(double largest_answer) {
  constexpr double kMostDecimals = 15;
  const double decimals = std::ceil(-std::log10(largest_answer * 0x1p-20));
  return 0.5 * std::pow(10.0, -std::clamp(decimals, 0.0, kMostDecimals));
}

class ItemTolerance {
 public:
  ItemTolerance(const Item& item, const Moments& moments, unsigned value_bits)
      : item_(item), moments_(moments), width_x_(Width(item.x_range)) {
    const MeasureInfo& info = InfoOf(item.measure);
    width_y_ = info.is_pair() ? Width(item.y_range) : 1;
    rounding_.half_step = std::ldexp(1.0, -static_cast<int>(value_bits) - 1);
    rounding_.sd_x = std::sqrt(moments.variance_x) / width_x_;
    rounding_.sd_y = std::sqrt(moments.variance_y) / width_y_;
  }

  std::optional<double> Error() const {
    const double n = moments_.count;
    const double sample = n > 1 ? n / (n - 1) : 1;
    switch (item_.measure) {
      case Measure::kSum:
        return n * Size(item_.x_range) * rounding_.mean();
      case Measure::kAvg:
        return width_x_ * rounding_.mean();
      case Measure::kVarPop:
        return width_x_ * width_x_ * rounding_.variance(rounding_.sd_x);
      case Measure::kVarSamp:
      case Measure::kVariance:
        return sample * width_x_ * width_x_ * rounding_.variance(rounding_.sd_x);
      case Measure::kStddevPop:
        return width_x_ * rounding_.deviation(rounding_.sd_x);
      case Measure::kStddevSamp:
      case Measure::kStddev:
        return std::sqrt(sample) * width_x_ * rounding_.deviation(rounding_.sd_x);
      case Measure::kCovarPop:
        return width_x_ * width_y_ * rounding_.covariance();
      case Measure::kCovarSamp:
        return sample * width_x_ * width_y_ * rounding_.covariance();
      case Measure::kCorr:
        return CorrelationError(moments_.value);
      case Measure::kRegrSlope:
        return SlopeError(moments_.value);
      case Measure::kRegrIntercept:
        return InterceptError();
      case Measure::kRegrR2:
        return SquareError();
      default:
        return 0;
    }
  }

 private:
  std::optional<double> CorrelationError(double correlation) const {
    const double bottom = rounding_.sd_x * rounding_.sd_y;
    return QuotientError(correlation, rounding_.covariance(), bottom, rounding_.covariance());
  }

  std::optional<double> SlopeError(double slope) const {
    const double variance = rounding_.sd_x * rounding_.sd_x;
    const double scale = width_y_ / width_x_;
    const auto error = QuotientError(slope / scale, rounding_.covariance(), variance,
                                     rounding_.variance(rounding_.sd_x));
    return error ? std::optional(scale * *error) : std::nullopt;
  }

  // No slope is steeper than sd_y / sd_x.
  std::optional<double> InterceptError() const {
    const double steepest = rounding_.sd_y / rounding_.sd_x * width_y_ / width_x_;
    const auto error = SlopeError(steepest);
    if (!error) return std::nullopt;
    return width_y_ * rounding_.mean() + std::abs(moments_.mean_x) * *error +
           (steepest + *error) * width_x_ * rounding_.mean();
  }

  std::optional<double> SquareError() const {
    const double correlation = std::sqrt(std::max(0.0, moments_.value));
    const auto error = CorrelationError(correlation);
    if (!error) return std::nullopt;
    return *error * (2 * correlation + *error);
  }

  const Item& item_;
  const Moments& moments_;
  double width_x_ = 1;
  double width_y_ = 1;
  Rounding rounding_;
};

bool OfSample(Measure measure) {
  return measure == Measure::kVarSamp || measure == Measure::kVariance ||
         measure == Measure::kStddevSamp || measure == Measure::kStddev ||
         measure == Measure::kCovarSamp;
}

}  // namespace

Cell Exactly(double value) { return {.kind = Cell::Kind::kBetween, .low = value, .high = value}; }

Cell CellOf(const Item& item, const Moments& moments, Grid grid) {
  const bool is_count = InfoOf(item.measure).is_count();
  if (moments.count == 0) {
    const bool zero = grid.known_group && (is_count || item.measure == Measure::kSum);
    return zero ? Exactly(0) : Cell{};
  }
  if (is_count) return Exactly(moments.count);
  if (OfSample(item.measure) && moments.count < 2) return {};
  const auto error = ItemTolerance(item, moments, grid.value_bits).Error();
  if (!error) return {.kind = Cell::Kind::kAnything};
  const double shown = ShownError(LargestAnswer(item, moments));
  const double all = *error + shown + kRelative * std::abs(moments.value);
  return {.kind = Cell::Kind::kBetween, .low = moments.value - all, .high = moments.value + all};
}

Cell Weighted(const Cell& a, int factor, const Cell& b) {
  if (a.kind == Cell::Kind::kNull || b.kind == Cell::Kind::kNull) return {};
  if (a.kind == Cell::Kind::kAnything || b.kind == Cell::Kind::kAnything) {
    return {.kind = Cell::Kind::kAnything};
  }
  const double x = factor * a.low;
  const double y = factor * a.high;
  const double slack = kRelative * (std::abs(x) + std::abs(y) + std::abs(b.low));
  const bool exact = a.low == a.high && b.low == b.high && std::floor(x) == x;
  return {.kind = Cell::Kind::kBetween,
          .low = std::min(x, y) + b.low - (exact ? 0 : slack),
          .high = std::max(x, y) + b.high + (exact ? 0 : slack)};
}

bool Fits(const Cell& cell, const Value& shown) {
  if (cell.kind == Cell::Kind::kAnything) return true;
  if (IsNull(shown)) return cell.kind == Cell::Kind::kNull;
  if (cell.kind == Cell::Kind::kNull) return false;
  double number = 0;
  if (const auto* whole = std::get_if<std::int64_t>(&shown)) {
    number = static_cast<double>(*whole);
  } else if (const auto* real = std::get_if<double>(&shown)) {
    number = *real;
  } else {
    return false;
  }
  return cell.low <= number && number <= cell.high;
}

std::string Describe(const Cell& cell) {
  if (cell.kind == Cell::Kind::kNull) return "NULL";
  if (cell.kind == Cell::Kind::kAnything) return "anything";
  std::ostringstream text;
  text.precision(12);
  text << "[" << cell.low << ", " << cell.high << "]";
  return text.str();
}

}  // namespace dpsql
