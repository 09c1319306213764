#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/int128.h"

// One row as the Bernstein (Bezier) vector of its value, and moments back from noisy sums of such
// vectors. For y = (x - L) / (U - L) in [0, 1] the coordinates b_i = C(d,i) y^i (1-y)^(d-i) are the
// probabilities of a binomial law: not negative, with L1 norm 1. Two values take the products of
// theirs. One more coordinate, the last, counts rows without a value. Pure functions; no state, no
// randomness.
//
// The middle weight, for Gaussian noise. Coordinate i is released as c_i b_i, where c_i = 1 at the
// ends and otherwise c_i^2 = 7/2, 31/9, 127/34 in degree 2, 3, 4. The same noise on every
// coordinate then weighs less on the middle ones, and the L2 norm of a row is still at most 1. For
// Laplace noise there is none: an L1 norm of at most 1 forces every c_i to be 1. With
// t = y (1-y) <= 1/4:
//   degree 2: norm^2 - 1 = -4t (1 - 4t);
//   degree 3: norm^2 - 1 = -t (6 - 40t + 64t^2), zero at 1/4 and negative before;
//   degree 4: norm^2 - 1 = t p(t) with p rising on [0, 1/4] and p(1/4) = 0.
// Products of two values have the product of both norms. Each c_i is the largest possible, hence
// kept as a fraction: 3.7353 for 127/34 would already exceed 1. docs/proofs/bernstein.md has more.
// Rows become integers in privacy/moment_grid.h.
namespace dpsql {

// The degree in x, and in y where there is a second value. Allowed: (1..4, 0), (1,1), (2,1), (2,2).
struct BernsteinShape {
  unsigned x_degree = 1;
  unsigned y_degree = 0;

  friend bool operator==(const BernsteinShape&, const BernsteinShape&) = default;
};

// A public range of values. Requires where used: low < high, high - low finite.
struct ValueRange {
  double low = 0;
  double high = 1;
};

// (x_degree + 1)(y_degree + 1) cells b_ij, at i (y_degree + 1) + j, and the one for "no value".
std::size_t CoordinatesOf(BernsteinShape shape);

// A noised sum in natural units: `value` estimates the sums of b_i, where one row weighs 1, and
// `sd` is the noise in each.
struct BernsteinRelease {
  BernsteinShape shape;
  ValueRange x;
  ValueRange y;
  std::vector<double> value;
  std::vector<double> sd;
};

// The sum over rows of ((x-L)/(U-L))^a ((y-L)/(U-L))^b, a linear function of the coordinates.
// Requires: a <= x_degree, b <= y_degree. Ensures: unbiased.
double PowerSum(BernsteinShape shape, std::span<const double> value, unsigned a, unsigned b = 0);

enum class Moment {
  kRows,   // with those without a value
  kCount,  // with a value
  kSumX,
  kSumY,
  kMeanX,
  kMeanY,
  kVarianceX,  // of the population, as the next three
  kVarianceY,
  kCovariance,
  kCorrelation,
  kSlope,      // of y on x
  kIntercept,  // of that line
};

// Whether the coordinates of this shape determine the moment.
bool Determines(BernsteinShape shape, Moment moment);

// The moment as a function of the coordinates, in the units of the columns, without any clamp and
// any correction: what an interval by simulation needs. Ensures: NaN where it is not defined.
// Requires: Determines(shape, moment); `value` has the coordinates of the release.
double RawMoment(const BernsteinRelease& release, std::span<const double> value, Moment moment);

struct MomentEstimate {
  double value = 0;
  double sd = 0;             // of the noise, to first order
  double concentration = 0;  // of the coordinates' parts in it; see NoiseParts in interval.h
};

// The moment with the noise in it. Nothing where there is nothing to say: the count is not above
// three standard deviations of its noise, or a variance in a denominator is not.
// Ensures: sd^2 = sum_i sd_i^2 (beta_i / n)^2, beta the Bezier ordinates of the influence
// polynomial at the estimated moments (exact for counts and sums); means, variances, covariances
// and correlations lie in the range that [L, U] leaves them. Variance and covariance have their
// second-order bias taken off where the count is above ten standard deviations of its noise.
std::optional<MomentEstimate> DecodeMoment(const BernsteinRelease& release, Moment moment);

// The interval of values that a moment can have for data inside the bounds; that of a sum, a slope
// and an intercept is the whole line.
ValueRange NaturalRange(const BernsteinRelease& release, Moment moment);

// sum_i sd_i^2 (d^2 theta / d b_i^2) / 2 of a variance or covariance at the estimated moments, in
// its units. Requires: moment is one of these.
double SecondOrderBias(const BernsteinRelease& release, Moment moment);

}  // namespace dpsql
