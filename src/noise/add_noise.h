#pragma once

#include <vector>

#include "aggregates/statistic.h"
#include "backend/exact_table.h"
#include "backend/key_set.h"
#include "noise/noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// One released group: its key, and each statistic with noise, or nothing where its cell is
// withheld.
struct NoisyRow {
  std::vector<Value> key;
  std::vector<std::optional<StatisticSample>> statistics;
};

// A door's result. Public.
struct NoisyTable {
  std::vector<NoisyRow> rows;
};

// Adds independent noise to every coordinate of every key of the set, whether a unit contributed
// to it or not. Integers in, integers out; the samples are those integers in natural units.
// Requires: `exact` has one row per key of the set, in its order.
// Proof: docs/proofs/rounded-gaussian.md.
NoisyTable AddNoise(ExactTable exact, const KeySet& keys, const Door& door, Noise& noise);

}  // namespace dpsql
