#pragma once

#include <future>
#include <vector>

#include "aggregates/statistic.h"
#include "backend/exact_table.h"
#include "backend/key_set.h"
#include "noise/noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// A door's result: its released groups, and each statistic with noise. Public.
class NoisyTable {
 public:
  // One statistic in all groups, in natural units; `like` is what all its samples have in common.
  struct Column {
    StatisticSample like;
    std::vector<double> values;  // of one group after the other
  };

  NoisyTable(KeySet keys, std::vector<Column> columns)
      : keys_(std::move(keys)), columns_(std::move(columns)) {}

  std::size_t size() const { return keys_.keys.size(); }
  const std::vector<Value>& key(std::size_t row) const { return keys_.keys[row].key; }

  // Whether the cells of a class may be shown in a group. Nothing of the others may be read.
  bool IsShown(std::size_t row, std::size_t cell_class) const {
    return keys_.keys[row].cells[cell_class];
  }

  StatisticSample Sample(std::size_t row, std::size_t statistic) const;

 private:
  KeySet keys_;
  std::vector<Column> columns_;
};

// The noise of a door's release: independent draws for every coordinate of every key. It depends on
// the plan and the number of keys alone, so that it is drawn while the database sums.
class DrawnNoise {
 public:
  // Draws on a thread of its own where there is much to draw.
  // Requires: door and noise outlive it, and nobody else draws from the noise meanwhile.
  DrawnNoise(std::size_t keys, const Door& door, Noise& noise);

 private:
  friend NoisyTable AddNoise(ExactTable exact, const KeySet& keys, DrawnNoise drawn);

  // One statistic: what its samples have in common, and per coordinate a draw for each key.
  struct Column {
    StatisticSample like;
    unsigned grid_bits = 0;
    std::vector<std::vector<Int128>> draws;
  };
  static Column DrawColumn(std::size_t keys, const Statistic& statistic, Noise& noise);

  std::future<std::vector<Column>> columns_;
};

// Adds noise to every coordinate of every key of the set, whether a unit contributed to it or not.
// Integers in, integers out; the samples are those integers in natural units.
// Requires: `exact` has one row per key of the set, in its order; the noise was drawn for as many.
// Proof: docs/proofs/rounded-gaussian.md and laplace.md.
NoisyTable AddNoise(ExactTable exact, const KeySet& keys, DrawnNoise drawn);

}  // namespace dpsql
