#pragma once

#include <functional>
#include <span>
#include <string>
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

// What a number could be without its noise, as a function of its statistic with fresh noise on top.
// NaN where a draw has no value.
using Drawer = std::function<double(const StatisticSample& drawn)>;

// One aggregate function: which statistic it reads and how it reads it. Each lives in a file of
// its own, which opens with the argument for its sensitivity, and has a line in registry.cc.
struct Aggregate {
  std::string_view function;  // "sum"
  AggregateForm form = AggregateForm::kArgument;
  std::string_view meaning = {};  // one line of the reference
  std::string_view result_type;   // of the answer's column; fixed here, never by the data
  ResultUnit unit = ResultUnit::kWhole;
  bool needs_bounds = false;             // of its arguments
  StatisticShape alone;                  // the cheapest statistic that serves it by itself
  bool (*reads)(const StatisticShape&);  // the statistics that serve it when they are there anyway
  Estimate (*decode)(const StatisticSample&);
  std::string_view other_name = {};  // "variance" for var_samp
  // Draws around a released statistic, for intervals of what is computed from several numbers: the
  // middle 95 % of them is the interval of the number itself. Null where a draw is `decode` of the
  // drawn statistic, as it is of linear ones.
  Drawer (*drawer)(const StatisticSample& released) = nullptr;
};

std::span<const Aggregate* const> AllAggregates();

// The aggregate of this name and form, or null.
const Aggregate* FindAggregate(std::string_view function, AggregateForm form);

// The aggregate as it is called by one of its names: "corr(y, x)".
std::string WriteAggregate(const Aggregate& aggregate, std::string_view name);

// Whether any aggregate has this name.
bool IsAggregateName(std::string_view function);

}  // namespace dpsql
