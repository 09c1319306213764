#pragma once

#include <vector>

#include "dpsql/value.h"
#include "plan/dp_plan.h"

namespace dpsql {

// A group that may be shown, and which of its classes of cells passed both thresholds.
struct SelectedKey {
  std::vector<Value> key;
  std::vector<bool> cells;

  bool any() const {
    for (const bool cell : cells) {
      if (cell) return true;
    }
    return false;
  }
};

// All keys of a door from the tuples of those that stand in public tables: declared values take
// their places in every combination.
std::vector<std::vector<Value>> WithDeclaredKeys(const Door& door,
                                                 const std::vector<std::vector<Value>>& tuples);

// The groups an answer will have. Public: key selection has been paid for.
struct KeySet {
  std::vector<SelectedKey> keys;
};

}  // namespace dpsql
