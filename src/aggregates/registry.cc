#include <algorithm>
#include <array>

#include "aggregates/aggregate.h"

namespace dpsql {

extern const Aggregate kCountRows;
extern const Aggregate kCountValues;
extern const Aggregate kCountUnits;
extern const Aggregate kCountDistinct;
extern const Aggregate kSum;
extern const Aggregate kAvg;
extern const Aggregate kVarPop;
extern const Aggregate kVarSamp;
extern const Aggregate kStddevPop;
extern const Aggregate kStddevSamp;
extern const Aggregate kCovarPop;
extern const Aggregate kCovarSamp;
extern const Aggregate kCorr;
extern const Aggregate kRegrSlope;
extern const Aggregate kRegrIntercept;
extern const Aggregate kRegrR2;

namespace {

constexpr auto kAggregates = std::to_array<const Aggregate*>({
    &kCountRows,
    &kCountValues,
    &kCountUnits,
    &kCountDistinct,
    &kSum,
    &kAvg,
    &kVarPop,
    &kVarSamp,
    &kStddevPop,
    &kStddevSamp,
    &kCovarPop,
    &kCovarSamp,
    &kCorr,
    &kRegrSlope,
    &kRegrIntercept,
    &kRegrR2,
});

bool HasName(const Aggregate& aggregate, std::string_view name) {
  return aggregate.function == name || (!name.empty() && aggregate.other_name == name);
}

}  // namespace

std::span<const Aggregate* const> AllAggregates() { return kAggregates; }

const Aggregate* FindAggregate(std::string_view function, AggregateForm form) {
  const auto found =
      std::find_if(kAggregates.begin(), kAggregates.end(), [&](const Aggregate* aggregate) {
        return HasName(*aggregate, function) && aggregate->form == form;
      });
  return found == kAggregates.end() ? nullptr : *found;
}

std::string WriteAggregate(const Aggregate& aggregate, std::string_view name) {
  const auto called = [&](std::string_view arguments) {
    return std::string(name) + "(" + std::string(arguments) + ")";
  };
  switch (aggregate.form) {
    case AggregateForm::kStar:
      return called("*");
    case AggregateForm::kArgument:
      return called("x");
    case AggregateForm::kPair:
      return called("y, x");
    case AggregateForm::kDistinctUnit:
      return called("DISTINCT unit");
    case AggregateForm::kDistinctValue:
      break;
  }
  return called("DISTINCT x");
}

bool IsAggregateName(std::string_view function) {
  return std::any_of(kAggregates.begin(), kAggregates.end(),
                     [&](const Aggregate* aggregate) { return HasName(*aggregate, function); });
}

}  // namespace dpsql
