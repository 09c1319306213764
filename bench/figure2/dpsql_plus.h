#pragma once

#include <cstdint>

#include "privacy/gaussian.h"

// DPSQL+ as published (arXiv 2602.22699), written anew from its formulas: the noise of a query, and
// how many such queries each of its accountants admits. Contribution bound 1, sensitivities 1. Key
// selection is part of every query, also of one without GROUP BY.
namespace dpsql {

struct DpsqlPlusQuery {
  int aggregates = 1;
  double mu_aggregate = 0;    // 1 / standard deviation of each aggregate's noise
  double mu_count = 0;        // the same of the count that selects keys
  double delta_infinity = 0;  // the probability that a group at the minimum frequency shows itself
};

// Each of n aggregates gets (epsilon, delta) / (n+1), and so does key selection, one half of whose
// delta pays for the noise of its count and the other half for delta_infinity.
DpsqlPlusQuery DpsqlPlusNoise(EpsilonDelta asked, int aggregates);

// One of its queries within a budget.
struct DpsqlPlusSession {
  EpsilonDelta asked;
  EpsilonDelta budget;
  int aggregates = 1;
};

// The epsilons add up, the deltas add up.
std::int64_t DpsqlPlusBasic(const DpsqlPlusSession& session);

// rho + 2 sqrt(rho ln(1 / (delta - delta_infinity))), the rhos and delta_infinities summed. What is
// left of delta is computed in integers here; in doubles below, as its program does, where a leak
// is 1 minus a probability near 1 and so is off by 1e-16.
std::int64_t DpsqlPlusRdp(const DpsqlPlusSession& session);
std::int64_t DpsqlPlusRdpInDoubles(const DpsqlPlusSession& session);

// The privacy loss distributions of its mechanisms, composed.
std::int64_t DpsqlPlusPld(const DpsqlPlusSession& session);

}  // namespace dpsql
