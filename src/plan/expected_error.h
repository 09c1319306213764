#pragma once

#include <cstddef>
#include <optional>

#include "plan/dp_plan.h"

namespace dpsql {

// What an aggregate would answer, and how exact.
struct ExpectedError {
  double value = 0;
  double half_width = 0;  // of the 95 % interval
};

// What the aggregate with this index would answer for a cell of `rows` rows that are evenly spread
// over their bounds. A function of the plan alone: the error of counts and sums is known before
// anything is read, that of the others depends on the count and the values, which are guesses here.
// None where so few rows have no interval.
std::optional<ExpectedError> ExpectedErrorOf(const Door& door, std::size_t aggregate, double rows);

}  // namespace dpsql
