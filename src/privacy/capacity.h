#pragma once

#include <cstdint>
#include <limits>

#include "base/int128.h"

// A cap in fixed point, and what is left of it: the questions that every accountant asks.
namespace dpsql {

inline UInt128 Left(UInt128 cap, UInt128 spent) { return spent < cap ? cap - spent : 0; }

inline bool Fits(UInt128 cap, UInt128 spent, UInt128 charge) {
  return spent <= cap && charge <= cap - spent;
}

// How often a charge goes into what is left; a charge of nothing, without end.
inline std::int64_t TimesLeft(UInt128 left, UInt128 charge) {
  constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  if (charge == 0) return kUnlimited;
  const UInt128 times = left / charge;
  return times > static_cast<UInt128>(kUnlimited) ? kUnlimited : static_cast<std::int64_t>(times);
}

}  // namespace dpsql
