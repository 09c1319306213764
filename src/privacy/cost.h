#pragma once

#include <string>

#include "privacy/gaussian.h"
#include "privacy/purses.h"

namespace dpsql {

// What a plan takes from the budget, fixed before any data is read. It is told in both ways; which
// of them is charged is the accountant's matter.
struct Cost {
  Purses by_mechanism;  // mu^2 and delta_infinity of the noise really drawn, rounded up
  Purses by_claim;      // the sums of epsilon and of delta over the doors, rounded up
  EpsilonDelta asked;   // what the analyst asked for, for the price tag and the history
  int doors = 0;
  std::string plan_digest;  // SHA-256 (hex) of bound plan, parameters, policy and data label
  bool storable = false;    // the owner labelled the data: an identical plan is not drawn again
};

}  // namespace dpsql
