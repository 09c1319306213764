#pragma once

#include <cstdint>

#include "base/int128.h"
#include "privacy/cost.h"
#include "privacy/gdp_filter.h"

// Approximate zCDP (Renyi DP of every order alpha at alpha rho, outside an event of probability
// delta_infinity), with the tight conversion of Canonne, Kamath & Steinke 2020. A filter for
// queries whose parameters are chosen after earlier answers; docs/proofs/accountants.md.
namespace dpsql {

struct RdpState {
  UInt128 rho = 0;             // units of 2^-96
  UInt128 delta_infinity = 0;  // units of 2^-120
};

// ln of inf over alpha > 1 of exp((alpha-1)(alpha rho - epsilon) + alpha ln(1-1/alpha))/(alpha-1).
// Requires: epsilon >= 0, rho >= 0, both finite. Ensures: rounded up; at most 0; -infinity at rho
// 0.
double LogZcdpDelta(double epsilon, double rho);

// The largest rho that is (epsilon, delta)-DP. Requires: epsilon >= 0, 0 < delta < 1.
// Ensures: rounded down.
double ZcdpRho(EpsilonDelta target);

// The smallest epsilon >= 0 at which rho-zCDP is (epsilon, delta)-DP.
// Requires: rho >= 0 and finite, 0 < delta < 1. Ensures: rounded up.
double ZcdpEpsilon(double delta, double rho);

// The caps of a budget: delta_infinity_B = w delta_B, rho_B = rho(epsilon_B, (1-w) delta_B).
// Requires: epsilon >= 0, 0 < delta < 1, 0 < w < 1. Ensures: both rounded down.
RdpState RdpCaps(const GdpBudget& budget);

// What a plan takes: rho = mu^2 / 2. Ensures: rounded up.
RdpState RdpCharge(const Cost& cost);

// What an (epsilon, delta)-DP black box takes: rho = epsilon^2 / 2, delta_infinity = delta.
// Requires: both >= 0 and finite. Ensures: rounded up; saturates.
RdpState RdpCharge(EpsilonDelta query);

// Whether the charge fits. Ensures: no overflow; never true when either sum passes its cap.
bool RdpAdmits(const RdpState& caps, const RdpState& spent, const RdpState& charge);

// The sums after one more query. Ensures: saturates instead of wrapping.
RdpState RdpAfter(const RdpState& spent, const RdpState& charge);

// How many more queries of this charge fit. Ensures: 0 where RdpAdmits is false; a charge of zero
// does not limit; capped at INT64_MAX.
std::int64_t RdpQueriesLeft(const RdpState& caps, const RdpState& spent, const RdpState& charge);

// The epsilon that what is spent (left) of rho is worth at (1-w) delta_B. For reports: the caps
// decide. Ensures: spent rounded up, left rounded down.
double RdpEpsilonSpent(const GdpBudget& budget, const RdpState& spent);
double RdpEpsilonLeft(const GdpBudget& budget, const RdpState& caps, const RdpState& spent);

}  // namespace dpsql
