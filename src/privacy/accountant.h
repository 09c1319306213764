#pragma once

#include <optional>
#include <string_view>

#include "privacy/budget.h"
#include "privacy/cost.h"
#include "privacy/purses.h"

// The questions that every accountant answers: what a budget allows, what a plan is charged, what
// is spent and left. Whether a charge fits, and how many more like it do, is the same for all:
// Fits and TimesLeft of purses.h. docs/proofs/accountants.md.
namespace dpsql {

std::string_view ToText(Accountant accountant);

// Only filters are named here. There is none by the name of "pld": composing privacy loss
// distributions until they reach the budget is no filter.
std::optional<Accountant> ParseAccountant(std::string_view text);

// Requires: 0 < delta < 1; the shares as in gdp_filter.h; pure_epsilon is 0 but for gdp.
// Ensures: rounded down.
Purses CapsOf(const Budget& budget);

// What a plan takes. gdp and rdp charge the mechanisms, basic charges the claim. A plan fits where
// its charge fits; nothing ever takes the better of two.
Purses ChargeOf(Accountant accountant, const Cost& cost);

// About what a scalar question of this (epsilon, delta) takes with the least noise it allows: an
// estimate for reports. Requires: epsilon > 0, 0 < delta < 1.
Purses ScalarPrice(Accountant accountant, EpsilonDelta query);

// The epsilon and delta that are spent, and that are left. Under gdp and rdp epsilon is what the
// sum of mu^2 is worth at (1-w) delta_B, delta is that of key selection, and what is left of the
// pure purse is not part of it. For reports: the caps decide.
// Ensures: spent rounded up, left rounded down.
EpsilonDelta WorthSpent(const Budget& budget, const Purses& spent);
EpsilonDelta WorthLeft(const Budget& budget, const Purses& caps, const Purses& spent);

}  // namespace dpsql
