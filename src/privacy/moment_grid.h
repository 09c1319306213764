#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.h"
#include "privacy/bernstein.h"

// The integer side of Bernstein vectors. A row's value is a whole number X of steps, 0 <= X <= S =
// 2^step_bits, and coordinate (i, j) of the row is
//   C(dx,i) X^i (S-X)^(dx-i) * C(dy,j) Y^j (S-Y)^(dy-j),
// a whole number that is not negative. All coordinates of a row sum to S^(dx+dy) exactly, the one
// that weighs a row: its L1 norm is that, and its L2 norm is not more. They are linear in the power
// sums of the row, so that an engine adds powers only and the coordinates follow once per cell.
// Pure functions; no state, no randomness.
namespace dpsql {

// Squared weights of the coordinates under an L2 clip, that of coordinate i being
// weight[i] / whole. The middle weights of privacy/bernstein.h, as whole numbers.
struct ClipWeights {
  std::vector<std::uint64_t> weight;
  std::uint64_t whole = 1;
};

// Ensures: for every row, sum_i weight[i] v_i^2 <= whole * S^(2 (dx+dy)).
// Proof: docs/proofs/bernstein.md; products of two values have the product of both norms.
ClipWeights MiddleWeights(BernsteinShape shape);

// How many power sums a shape has: sum X^a Y^b at a (y_degree + 1) + b; the first counts rows.
std::size_t PowerSums(BernsteinShape shape);

// The coordinates, at i (y_degree + 1) + j, of rows with these power sums.
// Requires: one sum each; S^(dx+dy) times the number of rows below 2^120.
// Ensures: exact; not negative, and summing to rows * S^(dx+dy), for sums of rows with
// 0 <= X, Y <= S.
std::vector<Int128> CoordinatesOfPowerSums(BernsteinShape shape, unsigned step_bits,
                                           std::span<const Int128> sums);

}  // namespace dpsql
