#include <algorithm>
#include <array>

#include "aggregates/aggregate.h"

namespace dpsql {

extern const Aggregate kCountRows;
extern const Aggregate kCountValues;
extern const Aggregate kCountUnits;
extern const Aggregate kSum;
extern const Aggregate kAvg;

namespace {

constexpr auto kAggregates = std::to_array<const Aggregate*>({
    &kCountRows,
    &kCountValues,
    &kCountUnits,
    &kSum,
    &kAvg,
});

}  // namespace

std::span<const Aggregate* const> AllAggregates() { return kAggregates; }

const Aggregate* FindAggregate(std::string_view function, AggregateForm form) {
  const auto found =
      std::find_if(kAggregates.begin(), kAggregates.end(), [&](const Aggregate* aggregate) {
        return aggregate->function == function && aggregate->form == form;
      });
  return found == kAggregates.end() ? nullptr : *found;
}

bool IsAggregateName(std::string_view function) {
  return std::any_of(kAggregates.begin(), kAggregates.end(),
                     [&](const Aggregate* aggregate) { return aggregate->function == function; });
}

}  // namespace dpsql
