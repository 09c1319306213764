#pragma once

#include <span>
#include <string_view>

#include "aggregates/statistic.h"

namespace dpsql {

// How an aggregate is written.
enum class AggregateForm {
  kStar,          // count(*)
  kArgument,      // sum(x)
  kDistinctUnit,  // count(DISTINCT unit)
};

// One aggregate function: which statistic it reads and how it reads it. Each lives in a file of
// its own, which opens with the argument for its sensitivity, and has a line in registry.cc.
struct Aggregate {
  std::string_view function;  // "sum"
  AggregateForm form = AggregateForm::kArgument;
  std::string_view result_type;  // of the answer's column; fixed here, never by the data
  bool needs_bounds = false;     // of its argument
  StatisticKind alone;           // the cheapest statistic that serves it by itself
  bool (*reads)(StatisticKind);  // the statistics that serve it when they are there anyway
  Estimate (*decode)(const StatisticSample&);
};

std::span<const Aggregate* const> AllAggregates();

// The aggregate of this name and form, or null.
const Aggregate* FindAggregate(std::string_view function, AggregateForm form);

// Whether any aggregate has this name.
bool IsAggregateName(std::string_view function);

}  // namespace dpsql
