#include "validate/interval_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace dpsql::intervals {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<Interval> Finite(Interval interval) {
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return std::nullopt;
  return interval;
}

bool Known(Intervals x) {
  return !x.empty() &&
         std::all_of(x.begin(), x.end(), [](const auto& interval) { return interval.has_value(); });
}

// Of a function that rises, or falls, everywhere between the ends; wider by one step.
template <typename Function>
std::optional<Interval> Monotone(Intervals x, Function function) {
  if (!Known(x)) return std::nullopt;
  const double a = function(x[0]->low);
  const double b = function(x[0]->high);
  if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  return Finite(
      {std::nextafter(std::min(a, b), -kInfinity), std::nextafter(std::max(a, b), kInfinity)});
}

// The same where the function's rounding is exact.
template <typename Function>
std::optional<Interval> Exact(Intervals x, Function function) {
  if (!Known(x)) return std::nullopt;
  return Finite({function(x[0]->low), function(x[0]->high)});
}

// Of a function of two arguments whose extremes are at the corners.
template <typename Function>
std::optional<Interval> Corners(Intervals x, Function function) {
  const auto corners =
      std::to_array({function(x[0]->low, x[1]->low), function(x[0]->low, x[1]->high),
                     function(x[0]->high, x[1]->low), function(x[0]->high, x[1]->high)});
  if (std::any_of(corners.begin(), corners.end(), [](double c) { return std::isnan(c); })) {
    return std::nullopt;
  }
  const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
  return Finite({*low, *high});
}

bool HoldsZero(const Interval& interval) { return interval.low <= 0 && interval.high >= 0; }

}  // namespace

std::optional<Interval> Same(Intervals x) { return x.empty() ? std::nullopt : x[0]; }

std::optional<Interval> Hull(Intervals x) {
  if (!Known(x)) return std::nullopt;
  Interval hull = *x[0];
  for (const auto& interval : x) {
    hull.low = std::min(hull.low, interval->low);
    hull.high = std::max(hull.high, interval->high);
  }
  return hull;
}

// Pairs of a condition and a result, then the result of ELSE. A NULL is an empty interval to the
// caller, who leaves it out.
std::optional<Interval> CaseHull(Intervals x) {
  std::vector<std::optional<Interval>> results;
  for (std::size_t i = 1; i < x.size(); i += 2) results.push_back(x[i]);
  if (x.size() % 2 == 1) results.push_back(x.back());
  return Hull(results);
}

// GREATEST passes over NULLs, so only an argument that is always there lifts the lower end.
std::optional<Interval> Greatest(Intervals x, const std::vector<bool>& nullable) {
  std::optional<Interval> range = Hull(x);
  for (std::size_t i = 0; range && i < x.size(); ++i) {
    if (!nullable[i]) range->low = std::max(range->low, x[i]->low);
  }
  return range;
}

std::optional<Interval> Least(Intervals x, const std::vector<bool>& nullable) {
  std::optional<Interval> range = Hull(x);
  for (std::size_t i = 0; range && i < x.size(); ++i) {
    if (!nullable[i]) range->high = std::min(range->high, x[i]->high);
  }
  return range;
}

std::optional<Interval> Add(Intervals x) {
  if (!Known(x)) return std::nullopt;
  return Finite({x[0]->low + x[1]->low, x[0]->high + x[1]->high});
}

std::optional<Interval> Subtract(Intervals x) {
  if (!Known(x)) return std::nullopt;
  return Finite({x[0]->low - x[1]->high, x[0]->high - x[1]->low});
}

std::optional<Interval> Negate(Intervals x) {
  if (!Known(x)) return std::nullopt;
  return Interval{-x[0]->high, -x[0]->low};
}

std::optional<Interval> Multiply(Intervals x) {
  if (!Known(x)) return std::nullopt;
  return Corners(x, [](double a, double b) { return a * b; });
}

std::optional<Interval> Divide(Intervals x) {
  if (!Known(x) || HoldsZero(*x[1])) return std::nullopt;
  return Corners(x, [](double a, double b) { return a / b; });
}

// A whole divisor is at least 1 away from zero, and zero itself gives NULL. Of a large dividend the
// quotient of doubles can round up to a whole number that the exact one does not reach.
std::optional<Interval> DivideWhole(Intervals x) {
  constexpr double kExact = 0x1p50;
  if (!Known(x)) return std::nullopt;
  const double most = std::max(std::abs(x[0]->low), std::abs(x[0]->high));
  if (HoldsZero(*x[1])) return Interval{-most, most};
  const auto range = Corners(x, [](double a, double b) { return std::trunc(a / b); });
  if (!range || most < kExact) return range;
  return Interval{range->low - 1, range->high + 1};
}

// The remainder has the sign of the first argument and is smaller than the second, both in size.
std::optional<Interval> Modulo(Intervals x) {
  if (!Known(x)) return std::nullopt;
  const double most = std::max(std::abs(x[1]->low), std::abs(x[1]->high));
  return Interval{std::max(std::min(x[0]->low, 0.0), -most),
                  std::min(std::max(x[0]->high, 0.0), most)};
}

std::optional<Interval> ModuloWhole(Intervals x) {
  if (!Known(x)) return std::nullopt;
  const double most = std::max({std::abs(x[1]->low), std::abs(x[1]->high), 1.0}) - 1;
  return Interval{std::max(std::min(x[0]->low, 0.0), -most),
                  std::min(std::max(x[0]->high, 0.0), most)};
}

// For a base that is not negative the extremes are at the corners: x^y rises or falls in each
// argument alone. A base that may be 0 has a pole where the exponent is negative.
std::optional<Interval> Power(Intervals x) {
  if (!Known(x)) return std::nullopt;
  const bool pole = x[0]->low == 0 && x[1]->low < 0;
  if (x[0]->low < 0 || pole) return std::nullopt;
  const auto corners = Corners(x, [](double a, double b) { return std::pow(a, b); });
  if (!corners) return std::nullopt;
  return Finite(
      {std::nextafter(corners->low, -kInfinity), std::nextafter(corners->high, kInfinity)});
}

std::optional<Interval> Abs(Intervals x) {
  if (!Known(x)) return std::nullopt;
  const double a = std::abs(x[0]->low);
  const double b = std::abs(x[0]->high);
  return Interval{HoldsZero(*x[0]) ? 0 : std::min(a, b), std::max(a, b)};
}

std::optional<Interval> Floor(Intervals x) {
  return Exact(x, [](double v) { return std::floor(v); });
}
std::optional<Interval> Ceil(Intervals x) {
  return Exact(x, [](double v) { return std::ceil(v); });
}
std::optional<Interval> Round(Intervals x) {
  return Exact(x, [](double v) { return std::round(v); });
}
std::optional<Interval> Trunc(Intervals x) {
  return Exact(x, [](double v) { return std::trunc(v); });
}

// Rounding to n digits moves a value by at most one unit of the last digit kept, and by the
// rounding of a product and a quotient.
std::optional<Interval> RoundDigits(Intervals x) {
  if (!Known(x)) return std::nullopt;
  const double most = std::max(std::abs(x[0]->low), std::abs(x[0]->high));
  const double step =
      std::pow(10.0, -x[1]->low) + most * 4 * std::numeric_limits<double>::epsilon();
  return Finite({x[0]->low - step, x[0]->high + step});
}

std::optional<Interval> Sqrt(Intervals x) {
  if (!Known(x) || x[0]->high < 0) return std::nullopt;
  const std::optional<Interval> domain = Interval{std::max(x[0]->low, 0.0), x[0]->high};
  return Exact({&domain, 1}, [](double v) { return std::sqrt(v); });
}
std::optional<Interval> Cbrt(Intervals x) {
  return Monotone(x, [](double v) { return std::cbrt(v); });
}
std::optional<Interval> Exp(Intervals x) {
  return Monotone(x, [](double v) { return std::exp(v); });
}
std::optional<Interval> Ln(Intervals x) {
  return Monotone(x, [](double v) { return std::log(v); });
}
std::optional<Interval> Log10(Intervals x) {
  return Monotone(x, [](double v) { return std::log10(v); });
}
std::optional<Interval> Degrees(Intervals x) {
  return Monotone(x, [](double v) { return v * (180 / std::numbers::pi); });
}
std::optional<Interval> Radians(Intervals x) {
  return Monotone(x, [](double v) { return v * (std::numbers::pi / 180); });
}

std::optional<Interval> WidthBucket(Intervals x) {
  if (x.size() != 4 || !x[3]) return std::nullopt;
  return Interval{0, x[3]->high + 1};
}

}  // namespace dpsql::intervals
