#pragma once

#include "privacy/budget.h"
#include "privacy/purses.h"

// Approximate zCDP (Renyi DP of every order alpha at alpha rho, outside an event of probability
// delta_infinity), with the tight conversion of Canonne, Kamath & Steinke 2020. A filter for
// queries whose parameters are chosen after earlier answers; docs/proofs/accountants.md.
namespace dpsql {

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

// The caps of a budget in terms of mu^2 = 2 rho: delta_infinity_B = w delta_B and
// mu_B^2 = 2 rho(epsilon_B, (1-w) delta_B).
// Requires: epsilon >= 0, 0 < delta < 1, 0 < w < 1. Ensures: both rounded down.
Purses RdpCaps(const Budget& budget);

// What an (epsilon, delta)-DP black box takes: rho = epsilon^2 / 2, delta_infinity = delta.
// Requires: both >= 0 and finite. Ensures: rounded up; saturates.
Purses RdpBlackBox(EpsilonDelta query);

// The epsilon that what is spent (left) of rho is worth at (1-w) delta_B. For reports: the caps
// decide. Ensures: spent rounded up, left rounded down.
double RdpEpsilonSpent(const Budget& budget, const Purses& spent);
double RdpEpsilonLeft(const Budget& budget, const Purses& caps, const Purses& spent);

}  // namespace dpsql
