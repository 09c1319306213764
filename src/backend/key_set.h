#pragma once

#include <vector>

#include "dpsql/result.h"
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

// The tuples of a list.
using KeyTuples = std::vector<std::vector<Value>>;

// All keys of a door from its lists, one for each of door.public_keys: their tuples and the
// declared values in every combination. Refused (E503) where these are more than kMostKnownKeys,
// before any is made; that depends on public tables alone.
Result<KeyTuples> WithDeclaredKeys(const Door& door, const std::vector<KeyTuples>& lists);

// The groups an answer will have. Public: key selection has been paid for.
struct KeySet {
  std::vector<SelectedKey> keys;
};

}  // namespace dpsql
