#include "plan/expected_error.h"

#include <vector>

#include "plan/calibrate.h"

namespace dpsql {
namespace {

Interval BoundsOf(const Statistic& statistic, std::size_t argument) {
  return argument < statistic.arguments.size() ? statistic.arguments[argument].bounds : Interval{};
}

}  // namespace

std::optional<ExpectedError> ExpectedErrorOf(const Door& door, std::size_t aggregate, double rows) {
  const Statistic& statistic = door.statistics[door.readings[aggregate].statistic];
  const std::vector<double> sds = PlannedSds(statistic);
  const double each = rows / static_cast<double>(sds.size());
  const Estimate estimate = door.query->aggregates[aggregate].aggregate->decode(
      {.shape = statistic.shape,
       .mechanism = statistic.mechanism,
       .x = BoundsOf(statistic, 0),
       .y = BoundsOf(statistic, 1),
       .value = std::vector<double>(sds.size(), each),
       .sd = sds});
  if (!estimate.interval) return std::nullopt;
  return ExpectedError{.value = estimate.value.value_or(0),
                       .half_width = (estimate.interval->high - estimate.interval->low) / 2};
}

}  // namespace dpsql
