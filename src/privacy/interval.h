#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

// Intervals for what the noise did to an answer. They are functions of what was released and of
// public parameters, so that they cost nothing. They speak of the noise only: neither the sampling
// of a population nor the bias of clipping is in them. No function here draws anything.
namespace dpsql {

// Both ends belong to it; an end may be infinite.
struct ErrorInterval {
  double low = 0;
  double high = 0;
};

// Released numbers with independent normal noise of known standard deviations.
struct NoisyVector {
  std::span<const double> value;
  std::span<const double> sd;
  double grid_step = 0;  // noise rounded to multiples of it has 1/12 of its square more variance
};

// A sum of independent noises, by its parts: the standard deviation that each has in it.
class NoiseParts {
 public:
  void Add(double part) {
    squares_ += part * part;
    fourths_ += part * part * part * part;
  }
  double sd() const { return std::sqrt(squares_); }

  // sum p_i^4 / (sum p_i^2)^2: 1 where one part has all, 1/n where n share it equally, 0 where
  // there is no noise.
  double concentration() const { return squares_ > 0 ? fourths_ / (squares_ * squares_) : 0; }

 private:
  double squares_ = 0;
  double fourths_ = 0;
};

// The z with P(|Z| <= z) = level; for several intervals at once, the z under which all of them hold
// with at least that probability (Bonferroni).
// Requires: 0 < level < 1, together >= 1.
double TwoSidedQuantile(double level, std::uint64_t together = 1);

// sum_i weights_i value_i, give or take z standard deviations. Exact for normal noise. Rounded
// noise is normal up to the rounding; its interval is right to the order of step / sigma.
// Requires: as many weights as values and standard deviations; z >= 0.
ErrorInterval LinearInterval(const NoisyVector& released, std::span<const double> weights,
                             double z);

// A numerator and a denominator, normal with these variances and this covariance.
struct NoisyRatio {
  double numerator = 0;
  double denominator = 0;
  double numerator_variance = 0;
  double denominator_variance = 0;
  double covariance = 0;
};

// Fieller's interval: the ratios t with (a - t b)^2 <= z^2 Var(a - t b). This set holds the true
// ratio with the probability of z exactly, however large the noise in the denominator.
// Requires: variances >= 0, covariance^2 <= their product (up to rounding); z >= 0.
// Ensures: nothing where the set is not bounded, which is where the denominator is within z
// standard deviations of 0. Such an answer has no interval but the range that is possible anyway;
// with that range in its place, the probability is that of z or more.
std::optional<ErrorInterval> FiellerInterval(const NoisyRatio& ratio, double z);

// A number computed from coordinates. Not a number where it is not defined.
using CoordinateFunction = std::function<double(std::span<const double>)>;

// The next of a sequence of independent standard normal numbers, independent of the noise that was
// released.
using NormalDraw = std::function<double()>;

struct SimulationPlan {
  double level = 0.95;
  std::size_t draws = 2000;
  ErrorInterval range;  // the values that are possible; whole line: -inf, +inf
};

// The basic bootstrap: theta^ = f(released), theta* = f(released + fresh noise), and the interval
// holds the middle `level` of 2 theta^ - theta*, cut to the range. Approximate: right where f is
// nearly linear over a few standard deviations of noise.
// Requires: f does not clamp. A clamped f has theta* on one side of an end only: with theta^ there,
// the interval shrinks to that end, and misses every truth near it. draws + 1 >= 2 / (1 - level).
// Ensures: draws * coordinates calls of `draw`; order statistics are taken outward, and a draw
// where f is not finite counts as below and above everything, so that the interval is not narrower
// for it. Both ends lie in the range; it is the whole range where f(released) is not finite.
ErrorInterval SimulatedInterval(const NoisyVector& released, const CoordinateFunction& f,
                                const SimulationPlan& plan, const NormalDraw& draw);

// The interval of a root from that of its square: roots of the ends, which keeps the coverage.
// A negative end becomes 0.
ErrorInterval RootInterval(ErrorInterval square);

}  // namespace dpsql
