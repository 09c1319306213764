#pragma once

#include <string>
#include <vector>

#include "figure2/figure.h"

namespace dpsql {

// Both tables for people, with notes below.
std::string TextOf(const std::vector<Series>& series, const std::vector<NoiseSeries>& noises);

// One line for each count: name, noise, budget, shape, aggregates, queries, in doubles.
std::string CsvOf(const std::vector<Series>& series);

}  // namespace dpsql
