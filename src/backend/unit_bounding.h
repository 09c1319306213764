#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/exact_table.h"
#include "backend/key_set.h"
#include "backend/keyed_hash.h"
#include "backend/priority.h"
#include "base/int128.h"
#include "dpsql/value.h"
#include "plan/dp_plan.h"

// Bounds what each unit contributes, in integers. Any backend feeds it the units one after the
// other; the result does not depend on their order, nor on the order of a unit's cells.
namespace dpsql {

// What one unit has in one group.
struct UnitCell {
  std::vector<Value> key;
  std::vector<Int128> rows;  // of each class
  std::vector<Int128> sums;  // stage 2: those of every statistic, one after the other
};

struct UnitRows {
  std::string unit;
  std::vector<UnitCell> cells;  // distinct keys
};

// The bytes of a key tuple; equal keys, and only they, have equal bytes.
std::string KeyBytes(const std::vector<Value>& key);

// Stage 1: counts units per cell. A unit counts in the first C0 of its groups by priority.
// Ensures: adding a unit adds 1 to at most C0 * J cells and changes nothing else.
class CellCounter {
 public:
  CellCounter(const Door& door, const PriorityKey& key);
  void Add(UnitRows rows);
  ExactTable Finish() &&;

 private:
  const Door& door_;
  PriorityKey key_;
  std::unordered_map<std::string, std::size_t, KeyedTextHash> index_;
  std::vector<std::vector<Value>> keys_;
  std::vector<std::vector<Int128>> counts_;
};

// Bounds one unit's vector over all its selected cells in the norm of the statistic's noise.
void Clip(const Statistic& statistic, std::span<Int128> vector);

// Whether a statistic is released in some form for a key: its own class of cells is shown, or the
// class of all rows whose count it serves.
bool IsReleased(const Statistic& statistic, const SelectedKey& key);

// Stage 2: sums bounded statistics over the selected keys. Per statistic, a unit's vector over all
// selected cells is clipped in the norm of its noise; unit counts keep the first C0 of the selected
// groups by the priority of stage 1, so that each unit counted there is counted here.
// Ensures: one row per key of the set, in its order; adding a unit moves statistic j by at most
// its sensitivity.
// Requires: no statistic of kind kDistinct.
class StatisticSummer {
 public:
  StatisticSummer(const Door& door, const KeySet& keys, const PriorityKey& key);
  void Add(UnitRows rows);
  ExactTable Finish() &&;

 private:
  // Where a statistic's coordinates and sums begin.
  struct Place {
    std::size_t coordinate = 0;
    std::size_t sum = 0;
  };
  void AddSums(const Statistic& statistic, Place at);
  void AddUnitCount(const Statistic& statistic, Place at);

  // A cell of the unit at hand and the selected key it falls in.
  struct Placed {
    std::size_t key = 0;
    UnitCell cell;
  };

  const Door& door_;
  const KeySet& keys_;
  PriorityKey priority_key_;
  std::unordered_map<std::string, std::size_t, KeyedTextHash> index_;
  std::vector<std::vector<Int128>> sums_;
  std::string unit_;
  std::vector<Placed> placed_;
};

}  // namespace dpsql
