#pragma once

#include <string>

#include "base/int128.h"
#include "privacy/gaussian.h"

namespace dpsql {

// What a plan takes from the budget, fixed before any data is read.
struct Cost {
  UInt128 mu_squared = 0;      // units of 2^-96, rounded up
  UInt128 delta_infinity = 0;  // units of 2^-120, rounded up
  EpsilonDelta asked;          // what the analyst asked for, for the price tag and the history
  int doors = 0;
  std::string plan_digest;  // SHA-256 (hex) of bound plan, parameters, policy and data label
  bool storable = false;    // the owner labelled the data: an identical plan is not drawn again
};

}  // namespace dpsql
