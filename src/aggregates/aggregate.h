#pragma once

#include <span>
#include <string_view>

#include "aggregates/statistic.h"

namespace dpsql {

// How an aggregate is written.
enum class AggregateForm {
  kStar,           // count(*)
  kArgument,       // sum(x)
  kPair,           // covar_pop(y, x)
  kDistinctUnit,   // count(DISTINCT unit)
  kDistinctValue,  // count(DISTINCT x)
};

// What the answer is measured in, for the digits that it can mean.
enum class ResultUnit {
  kWhole,  // counts
  kX,      // the range of its value
  kXSquared,
  kXTimesY,
  kYOverX,
  kY,
  kOne,  // a share
};

// One aggregate function: which statistic it reads and how it reads it. Each lives in a file of
// its own, which opens with the argument for its sensitivity, and has a line in registry.cc.
struct Aggregate {
  std::string_view function;  // "sum"
  AggregateForm form = AggregateForm::kArgument;
  std::string_view result_type;  // of the answer's column; fixed here, never by the data
  ResultUnit unit = ResultUnit::kWhole;
  bool needs_bounds = false;             // of its arguments
  StatisticShape alone;                  // the cheapest statistic that serves it by itself
  bool (*reads)(const StatisticShape&);  // the statistics that serve it when they are there anyway
  Estimate (*decode)(const StatisticSample&);
  std::string_view other_name = {};  // "variance" for var_samp
};

std::span<const Aggregate* const> AllAggregates();

// The aggregate of this name and form, or null.
const Aggregate* FindAggregate(std::string_view function, AggregateForm form);

// Whether any aggregate has this name.
bool IsAggregateName(std::string_view function);

}  // namespace dpsql
