#pragma once

#include "validate/functions.h"

// Interval arithmetic: where a function's result lies when its finite arguments lie in intervals.
// The rules decide how wide a clamp is, never whether there is one: what a unit can add to an
// answer is limited by the clamp itself. A rule that cannot say returns nothing.
// Ensures: the interval is finite and holds the result as DuckDB computes it; where a library's
// rounding is not ours, it is one step wider on both sides.
namespace dpsql::intervals {

std::optional<Interval> Same(Intervals x);  // of the first argument
std::optional<Interval> Hull(Intervals x);  // of all arguments
std::optional<Interval> CaseHull(Intervals x);
std::optional<Interval> Greatest(Intervals x, const std::vector<bool>& nullable);
std::optional<Interval> Least(Intervals x, const std::vector<bool>& nullable);

std::optional<Interval> Add(Intervals x);
std::optional<Interval> Subtract(Intervals x);
std::optional<Interval> Negate(Intervals x);
std::optional<Interval> Multiply(Intervals x);
std::optional<Interval> Divide(Intervals x);
std::optional<Interval> DivideWhole(Intervals x);
std::optional<Interval> Modulo(Intervals x);
std::optional<Interval> ModuloWhole(Intervals x);
std::optional<Interval> Power(Intervals x);

std::optional<Interval> Abs(Intervals x);
std::optional<Interval> Floor(Intervals x);
std::optional<Interval> Ceil(Intervals x);
std::optional<Interval> Round(Intervals x);
std::optional<Interval> Trunc(Intervals x);
std::optional<Interval> RoundDigits(Intervals x);
std::optional<Interval> Sqrt(Intervals x);
std::optional<Interval> Cbrt(Intervals x);
std::optional<Interval> Exp(Intervals x);
std::optional<Interval> Ln(Intervals x);
std::optional<Interval> Log10(Intervals x);
std::optional<Interval> Degrees(Intervals x);
std::optional<Interval> Radians(Intervals x);
std::optional<Interval> WidthBucket(Intervals x);

template <int low, int high>
std::optional<Interval> Range(Intervals) {
  return Interval{low, high};
}

}  // namespace dpsql::intervals
