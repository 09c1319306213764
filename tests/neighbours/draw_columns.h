#pragma once

#include <string>
#include <vector>

#include "random/dice.h"

namespace dpsql {

// A column of a random table: its SQL, what the policy says of it, and the literals that rows draw
// from.
struct DrawnColumn {
  std::string name;
  std::string sql;     // "age INTEGER NOT NULL"
  std::string policy;  // "age = { lower = 0, upper = 10 }", or nothing
  bool nullable = true;
  std::vector<std::string> pool;  // few, so that values repeat, and nasty

  std::string DrawValue(Dice& dice) const;
};

// Some columns whose names begin with `prefix`, so that no two tables share one. Of every type that
// can be asked, and where all is `on_duckdb` now and then of one that cannot; bounds, lists of
// keys, hidden columns and columns whose NULL drops the row as the dice have it.
std::vector<DrawnColumn> DrawColumns(Dice& dice, const std::string& prefix, bool on_duckdb);

}  // namespace dpsql
