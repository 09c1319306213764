#pragma once

#include <vector>

#include "dpsql/result.h"
#include "plan/dp_plan.h"
#include "plan/settings.h"
#include "privacy/bounding.h"
#include "privacy/purses.h"

// The noise of a door, from its (epsilon, delta) and its caps. All of it is public.
namespace dpsql {

// How far one unit can move a statistic of this door, in grid steps. A statistic's clip or C0 says
// so, whatever the unit's rows are. The L2 norm is the one with the weights of the shape.
Sensitivity SensitivityOf(const Door& door, const Statistic& statistic);

// Chooses the mechanism and sets the noise of every statistic and of the selection of keys.
//
// Gaussian: one vector for the door, all parts calibrated together to (epsilon, delta).
// Laplace: epsilon is split equally between the statistics and, where there is one, the selection
// of keys, which gets all of delta: basic composition of a pure mechanism and an (epsilon, delta)
// one. Statistics alone take no delta, and the door asks for none.
// Requires: keys, statistics and caps of the door are set.
// Ensures: the door is (asked.epsilon, asked.delta)-DP. Proof: docs/proofs/double-threshold.md,
// laplace.md, truncated-geometric.md; for coordinates with weights bernstein.md.
Status Calibrate(Door& door, const Settings& settings);

// The standard deviation of the noise in each coordinate, where a row weighs 1.
std::vector<double> PlannedSds(const Statistic& statistic);

// What the noise that is really drawn takes: mu^2 and delta_infinity, or epsilon and delta where it
// is Laplace noise and a truncated geometric selection. Ensures: rounded up.
Purses DrawnBy(const Door& door);

}  // namespace dpsql
