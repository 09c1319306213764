#pragma once

#include "aggregates/aggregate.h"
#include "aggregates/statistic.h"
#include "privacy/bernstein.h"

// What the aggregates that read Bernstein vectors have in common.
namespace dpsql {

// Whether a statistic is a Bernstein vector that determines the moment.
bool HasMoment(const StatisticShape& shape, Moment moment);

// The sample as privacy/bernstein.h takes it. Requires: shape.kind is kMoments.
BernsteinRelease ReleaseOf(const StatisticSample& sample);

// The moment and its interval, that of centred_moments.h or as much more as holds the estimate.
// Nothing where the noise leaves nothing to say. Requires: a moment that centred_moments.h takes.
Estimate DecodeMoment(const StatisticSample& sample, Moment moment);

// The same times a function of the count: for statistics of a sample instead of a population.
// Nothing where the count is not above 1.
Estimate DecodeSampleMoment(const StatisticSample& sample, Moment moment);

// The root of an estimate that is not negative. Roots of the ends keep the coverage.
Estimate RootOf(const Estimate& square);

// Draws of the same numbers, and of counts before they are rounded.
Drawer DrawerOf(const StatisticSample& released, Moment moment);
Drawer SampleDrawerOf(const StatisticSample& released, Moment moment);
Drawer RootOf(Drawer square);
Drawer CountDrawerOf(const StatisticSample& released, bool with_missing);

// Weights that add up the coordinates of rows with a value, or of all rows.
std::vector<double> CountWeights(const StatisticSample& sample, bool with_missing);

}  // namespace dpsql
