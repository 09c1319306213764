#pragma once

#include <cstdint>

#include "base/int128.h"

// What a budget consists of, in unsigned fixed point: sums are associative, without drift, exact to
// store and to compare. Caps, sums and charges are all of this kind; which purses an accountant
// uses is told in accountant.h.
namespace dpsql {

struct Purses {
  UInt128 mu_squared = 0;  // units of 2^-96
  UInt128 delta = 0;       // units of 2^-120
  UInt128 epsilon = 0;     // units of 2^-96

  friend bool operator==(const Purses&, const Purses&) = default;
};

// Ensures: each purse saturates instead of wrapping.
Purses SumOf(const Purses& a, const Purses& b);

// Ensures: nothing where a purse is overdrawn.
Purses LeftOf(const Purses& caps, const Purses& spent);

// Whether the charge fits. Ensures: no overflow; never true when any sum passes its cap, nor for a
// charge that saturated.
bool Fits(const Purses& caps, const Purses& spent, const Purses& charge);

// How many more charges of this size fit. Ensures: 0 where Fits is false; a purse that is charged
// nothing does not limit; capped at INT64_MAX.
std::int64_t TimesLeft(const Purses& caps, const Purses& spent, const Purses& charge);

}  // namespace dpsql
