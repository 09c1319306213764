#include "privacy/moment_grid.h"

#include "base/check.h"

namespace dpsql {
namespace {

struct Fraction {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

// The largest squared weight of the coordinates between the ends.
Fraction MiddleOf(unsigned degree) {
  if (degree < 2) return {};
  if (degree == 2) return {.numerator = 7, .denominator = 2};
  if (degree == 3) return {.numerator = 31, .denominator = 9};
  return {.numerator = 127, .denominator = 34};
}

Int128 Choose(unsigned n, unsigned k) {
  Int128 result = 1;
  for (unsigned i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

// What power a contributes to coordinate i of one value: X^i (S-X)^(d-i) = sum over a >= i of
// C(d-i, a-i) (-1)^(a-i) S^(d-a) X^a, times C(d,i).
Int128 Factor(unsigned degree, unsigned i, unsigned a, unsigned step_bits) {
  if (a < i) return 0;
  const Int128 size = Choose(degree, i) * Choose(degree - i, a - i) << (step_bits * (degree - a));
  return (a - i) % 2 == 0 ? size : -size;
}

struct Place {
  unsigned i = 0;
  unsigned j = 0;
};

Int128 Coordinate(BernsteinShape shape, unsigned step_bits, Place at,
                  std::span<const Int128> sums) {
  const auto [dx, dy] = shape;
  Int128 sum = 0;
  for (unsigned a = at.i; a <= dx; ++a) {
    for (unsigned b = at.j; b <= dy; ++b) {
      sum +=
          Factor(dx, at.i, a, step_bits) * Factor(dy, at.j, b, step_bits) * sums[a * (dy + 1) + b];
    }
  }
  return sum;
}

}  // namespace

ClipWeights MiddleWeights(BernsteinShape shape) {
  const Fraction x = MiddleOf(shape.x_degree);
  const Fraction y = MiddleOf(shape.y_degree);
  ClipWeights weights{.weight = {}, .whole = x.denominator * y.denominator};
  const auto weigh = [](unsigned degree, unsigned i, const Fraction& middle) {
    return i == 0 || i == degree ? middle.denominator : middle.numerator;
  };
  for (unsigned i = 0; i <= shape.x_degree; ++i) {
    for (unsigned j = 0; j <= shape.y_degree; ++j) {
      weights.weight.push_back(weigh(shape.x_degree, i, x) * weigh(shape.y_degree, j, y));
    }
  }
  return weights;
}

std::size_t PowerSums(BernsteinShape shape) {
  return std::size_t{shape.x_degree + 1} * (shape.y_degree + 1);
}

std::vector<Int128> CoordinatesOfPowerSums(BernsteinShape shape, unsigned step_bits,
                                           std::span<const Int128> sums) {
  Check(sums.size() == PowerSums(shape), "a shape gets all of its power sums");
  std::vector<Int128> coordinates;
  for (unsigned i = 0; i <= shape.x_degree; ++i) {
    for (unsigned j = 0; j <= shape.y_degree; ++j) {
      coordinates.push_back(Coordinate(shape, step_bits, {i, j}, sums));
    }
  }
  return coordinates;
}

}  // namespace dpsql
