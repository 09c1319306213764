#pragma once

#include <cstdint>

#include "base/int128.h"

// Budgets are sums of unsigned fixed-point numbers: associative, without drift, exact to store and
// to compare. Charges are rounded up, caps down.
namespace dpsql {

inline constexpr int kMuSquaredBits = 96;       // mu^2 in units of 2^-96
inline constexpr int kDeltaInfinityBits = 120;  // delta_infinity in units of 2^-120

// A standard deviation in grid steps, as the sampler takes it: numerator / 2^bits.
struct GridSigma {
  std::uint64_t numerator = 0;
  unsigned bits = 0;

  double value() const;
};

// Requires: 0 < sigma <= 2^59. Ensures: the result is not below sigma, and close to it (relative
// 2^-30 or better); numerator < 2^60; bits >= 8 unless sigma is too large for that.
GridSigma RoundSigmaUp(double sigma);

// The charge mu^2 = sensitivity^2 / sigma^2 of the sigma really sampled, both in grid steps.
// Requires: sigma.numerator > 0. Ensures: exact integer arithmetic, rounded up; saturates.
UInt128 MuSquaredCharge(UInt128 sensitivity_squared, GridSigma sigma);

// The sum of two charges. Ensures: saturates, so that a charge at the top never wraps to a small
// one.
UInt128 SumOfCharges(UInt128 a, UInt128 b);

// Requires: value >= 0 and finite. Ensures: rounded up / down as named; saturates at the top.
UInt128 MuSquaredUp(double value);
UInt128 MuSquaredDown(double value);
UInt128 DeltaInfinityUp(double value);
UInt128 DeltaInfinityDown(double value);

// Ensures: the nearest double not above (Down) or not below (Up) the fixed-point number.
double MuSquaredToDoubleDown(UInt128 units);
double MuSquaredToDoubleUp(UInt128 units);
double DeltaInfinityToDoubleDown(UInt128 units);
double DeltaInfinityToDoubleUp(UInt128 units);

}  // namespace dpsql
