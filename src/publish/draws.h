#pragma once

#include <cstddef>

#include "backend/public_table.h"
#include "noise/add_noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// How many draws each number of these releases gets: enough for an interval, and none where there
// are too many numbers.
std::size_t DrawsFor(const DpPlan& plan, const std::vector<NoisyTable>& releases);

// Adds to a release draws of its aggregates: what they could be without their noise, given what was
// released. Aggregates of one statistic share their noise. Post-processing: a function of the
// release and of public scales of noise; the shown numbers seed it, and nothing here is secret.
//
// The interval of a number that SQL computes from estimates is the middle 95 % of it over draws.
// Why, and how exact:
// - A linear function, or a rising function of one: exact up to the number of draws. Order
//   statistics commute with rising functions, so that sqrt(var_pop(x)) has the roots of the ends of
//   var_pop(x), and cuts to a range may come first.
// - A ratio A / B of linear ones: exact. The chance that a draw of A / B is below t is that of
//   A* < t B*, with B* on the side of 0 where B is; the middle 95 % is Fieller's interval
//   (privacy/interval.h). Draws beyond the pole count as below and above all others, and where they
//   are more than 2.5 % Fieller's set has no bounds and the number no interval.
// - Moments bring no bias of their own into draws (aggregates/centred_moments.h). That matters
//   here: the middle of plain draws would be off by twice the bias that noise has in them.
// - Other smooth functions of several estimates: to second order, since a bias of the function
//   itself is not taken off. A sum of numbers that are all cut at an end of their range leans away
//   from that end, as the number shown does.
// Reflecting draws at the estimate (2 theta - theta*) would be exact for linear functions only: it
// turns the long tail of a ratio to the wrong side, and draws of a number that was cut to its range
// pile up at the end, so that the interval is too short there.
// Requires: the rows of `table` are those of the release, sorted.
void AddDraws(const Door& door, const NoisyTable& noisy, std::size_t draws, PublicTable& table);

}  // namespace dpsql
