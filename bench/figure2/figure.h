#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "privacy/gaussian.h"

// Figure 2 of the DPSQL+ paper, computed: the most queries of one price within a global budget.
namespace dpsql {

inline constexpr EpsilonDelta kAsked = {0.1, 1e-7};
inline constexpr std::array<EpsilonDelta, 2> kBudgets = {{{0.2, 1e-6}, {1, 2e-7}}};
inline constexpr int kMostAggregates = 3;

// "(0.2, 1e-06)".
std::string NameOf(EpsilonDelta pair);

struct Count {
  std::int64_t queries = 0;
  std::int64_t in_doubles = 0;  // what the published program's floating point makes of it
};

struct Column {
  std::size_t budget = 0;  // in kBudgets
  bool grouped = false;
  int aggregates = 1;
};

// Budget by budget, scalar before grouped, 1 to kMostAggregates.
std::vector<Column> Columns();

struct Series {
  std::string name;
  bool tight = false;         // the least noise for the query, instead of that of DPSQL+
  std::vector<Count> counts;  // one for each column
};

std::vector<Series> ComputeSeries();

// The noise of a query, sensitivities 1: what the counts are bought with.
struct QueryNoise {
  double sigma_aggregate = 0;
  double sigma_count = 0;  // of the count that selects keys; 0 where there is none
  double tau_above_k = 0;  // how far a group must be above the minimum frequency
};

struct NoiseSeries {
  std::string name;
  std::vector<QueryNoise> noises;  // for 1 to kMostAggregates
};

std::vector<NoiseSeries> ComputeNoises();

}  // namespace dpsql
