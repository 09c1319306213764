#pragma once

#include <cstdint>

#include "privacy/gaussian.h"

// How many queries the product's own accountants admit, one after the other, from a fresh budget.
namespace dpsql {

struct GaussianCharge {
  double mu_squared = 0;
  double delta_infinity = 0;
};

std::int64_t CapacityBasic(EpsilonDelta budget, EpsilonDelta query);
std::int64_t CapacityRdp(EpsilonDelta budget, GaussianCharge query);
std::int64_t CapacityGdp(EpsilonDelta budget, GaussianCharge query);

}  // namespace dpsql
