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
// The middle weight. Coordinate i is released as c_i b_i, where c_i = 1 at the ends and otherwise
// c_i^2 = 7/2, 31/9, 127/34 in degree 2, 3, 4. The same noise on every coordinate then weighs less
// on the middle ones, and the L2 norm of a row is still at most 1. With t = y (1-y) <= 1/4:
//   degree 2: norm^2 - 1 = -4t (1 - 4t);
//   degree 3: norm^2 - 1 = -t (6 - 40t + 64t^2), zero at 1/4 and negative before;
//   degree 4: norm^2 - 1 = t p(t) with p rising on [0, 1/4] and p(1/4) = 0.
// Products of two values have the product of both norms. Each c_i is the largest possible, hence
// kept as a fraction: 3.7353 for 127/34 would already exceed 1. docs/proofs/bernstein.md has more.
//
// The grid. A coordinate is computed in integers from a whole step Y of 2^value_bits and rounded
// down twice: to 2^scale_bits steps, and after its weight. Rounding down a number that is not
// negative only shortens the vector, so that the L2 norm of an encoded row is at most
// 2^scale_bits, for every Y and whatever the floating point before it did; without weights the L1
// norm is as well.
namespace dpsql {

// The degree in x, and in y where there is a second value. Allowed: (1..4, 0), (1,1), (2,1), (2,2).
struct BernsteinShape {
  unsigned x_degree = 1;
  unsigned y_degree = 0;
};

// For Gaussian noise the middle weights are free. For Laplace noise they are not: L1 <= 1 with
// weights forces them to be 1.
enum class BernsteinWeights { kOne, kMiddle };

struct BernsteinGrid {
  BernsteinShape shape;
  BernsteinWeights weights = BernsteinWeights::kMiddle;
  unsigned value_bits = 16;  // 1..24
  unsigned scale_bits = 40;  // 1..40: an encoded row is 2^scale_bits long at most
};

// A public range of values. Requires where used: low < high, high - low finite.
struct ValueRange {
  double low = 0;
  double high = 1;
};

// (x_degree + 1)(y_degree + 1) cells b_ij, at i (y_degree + 1) + j, and the one for "no value".
std::size_t CoordinatesOf(BernsteinShape shape);

// c_i^2 of one coordinate. Ensures: the fraction is exact; 1 for the last.
struct SquaredWeight {
  unsigned numerator = 1;
  unsigned denominator = 1;
};
SquaredWeight WeightOf(const BernsteinGrid& grid, std::size_t coordinate);

// Y = round(2^bits (x - L) / (U - L)). Values outside, infinities too, go to the nearer end; NaN
// is no value. Requires: bits in 1..24. Ensures: 0 <= Y <= 2^bits, in either rounding direction.
std::optional<std::uint32_t> ValueStep(double value, ValueRange range, unsigned bits);

// The integer vector of one row. The row counts as one without a value where x is missing, or y is
// in a shape with y: all moments of a pair are over the same rows.
// Requires: steps at most 2^value_bits. Ensures: coordinates >= 0; their squares sum to at most
// 4^scale_bits; with BernsteinWeights::kOne they sum to at most 2^scale_bits, and to exactly that
// where scale_bits >= value_bits * (x_degree + y_degree). Below it, less than one step a coordinate
// is lost.
std::vector<std::int64_t> EncodeRow(const BernsteinGrid& grid, std::optional<std::uint32_t> x,
                                    std::optional<std::uint32_t> y = std::nullopt);

// A noised sum in natural units: `value` estimates the sums of b_i, where one row weighs 1, and
// `sd` is the noise in each.
struct BernsteinRelease {
  BernsteinShape shape;
  ValueRange x;
  ValueRange y;
  std::vector<double> value;
  std::vector<double> sd;
};

// Takes the grid and the weights away again; x and y keep their default range.
// Requires: one integer a coordinate; sigma >= 0 in grid steps, of every coordinate.
BernsteinRelease ReleaseOf(const BernsteinGrid& grid, std::span<const Int128> noisy, double sigma);

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
  kSlope,  // of y on x
};

// Whether the coordinates of this shape determine the moment.
bool Determines(BernsteinShape shape, Moment moment);

// The moment as a function of the coordinates, in the units of the columns, without any clamp and
// any correction: what an interval by simulation needs. Ensures: NaN where it is not defined.
// Requires: Determines(shape, moment); `value` has the coordinates of the release.
double RawMoment(const BernsteinRelease& release, std::span<const double> value, Moment moment);

struct MomentEstimate {
  double value = 0;
  double sd = 0;  // of the noise, to first order
};

// The moment with the noise in it. Nothing where there is nothing to say: the count is not above
// three standard deviations of its noise, or a variance in a denominator is not.
// Ensures: sd^2 = sum_i sd_i^2 (beta_i / n)^2, beta the Bezier ordinates of the influence
// polynomial at the estimated moments (exact for counts and sums); means, variances, covariances
// and correlations lie in the range that [L, U] leaves them. Variance and covariance have their
// second-order bias taken off where the count is above ten standard deviations of its noise.
std::optional<MomentEstimate> DecodeMoment(const BernsteinRelease& release, Moment moment);

// The interval of values that a moment can have for data inside the bounds; a slope's and a sum's
// is the whole line.
ValueRange NaturalRange(const BernsteinRelease& release, Moment moment);

// sum_i sd_i^2 (d^2 theta / d b_i^2) / 2 of a variance or covariance at the estimated moments, in
// its units. Requires: moment is one of these.
double SecondOrderBias(const BernsteinRelease& release, Moment moment);

}  // namespace dpsql
