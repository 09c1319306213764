#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/dp_plan.h"

// What EXPLAIN (DP) tells of a plan, in words and numbers; as text by print_plan.cc, as JSON by the
// engine. Depends on the query and the policy only.
namespace dpsql {

struct KeySummary {
  std::string expr;
  std::size_t declared_values = 0;
  bool of_public_table = false;
};

// Which cells are shown.
struct SelectionSummary {
  KeySelection rule = KeySelection::kNone;
  std::int64_t min_frequency = 0;
  std::int64_t threshold = 0;        // of kThreshold: what the noisy count must reach
  double count_sd = 0;               // of kThreshold
  double epsilon = 0;                // of kTruncatedGeometric: of each coin
  double delta = 0;                  // of each cell
  std::int64_t certain_from = 0;     // of kTruncatedGeometric: how many units are always enough
  std::vector<std::string> classes;  // the rows that cells are made of, where not all
};

struct ArgumentSummary {
  std::string expr;
  std::optional<Interval> bounds;
  std::string origin;
};

struct StatisticSummary {
  std::string name;
  std::vector<ArgumentSummary> arguments;
  std::string where;  // the rows that count, where not all
  std::string mechanism;
  double sd = 0;
  double least_sd = 0;  // where coordinates differ: that of the middle ones
};

// What an analyst asked for, and the half width of its 95 % interval: known, or falling with the
// count, or neither.
struct AnswerSummary {
  std::string aggregate;
  std::string statistic;
  std::optional<double> error;
  std::optional<double> error_times_count;
};

struct DoorSummary {
  std::string unit;
  std::string unit_column;
  std::vector<std::string> reads;
  std::vector<std::string> conditions;
  std::vector<KeySummary> keys;
  Cap groups_per_unit;
  Cap rows_per_unit;
  std::string clip_norm;
  SelectionSummary selection;
  std::vector<StatisticSummary> statistics;
  std::vector<AnswerSummary> answers;
  std::string target;  // of dp.target_error: "+- 50"
};

struct PlanSummary {
  std::vector<DoorSummary> doors;
  std::vector<std::string> above;  // the SQL above the doors, where there is any
  std::vector<std::string> columns;
  EpsilonDelta price;
  double mu = 0;
};

PlanSummary Summarise(const DpPlan& plan);

// As text, a line each: no name and no literal moves a terminal or begins a line of its own.
std::string ToText(const PlanSummary& plan);

}  // namespace dpsql
