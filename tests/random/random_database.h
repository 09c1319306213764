#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/dice.h"

namespace dpsql {

enum class Kind { kWhole, kDecimal, kDouble, kText, kDate, kTruth };

// What values are clamped to.
struct Range {
  double low = 0;
  double high = 0;
};

struct RandomColumn {
  std::string name;  // one table's only, so that it needs no alias
  Kind kind = Kind::kWhole;
  std::string type;
  bool nullable = true;
  std::optional<Range> range;     // the owner's bounds
  std::vector<std::string> pool;  // the literals that rows draw from: few, so that they repeat
};

// The first columns are the keys, in the order of the rows; `columns` follow.
struct RandomTable {
  std::string name;
  std::string keys;
  std::vector<RandomColumn> columns;
  std::vector<std::string> rows;  // each the inside of VALUES (…)
};

// Four tables that belong together:
//   person  one row per unit, the unit is its primary key;
//   act     several rows per unit, whose unit may be NULL or no person;
//   part    rows that find their unit over an act, or do not;
//   place   public.
// Rows hold what goes wrong: NULL, NaN, infinities, -0.0, extremes, values at and beyond the
// bounds, the same row twice, and tables without rows.
struct RandomDatabase {
  std::string unit_type;
  RandomTable person;
  RandomTable act;
  RandomTable part;
  RandomTable place;
  int copies = 1;  // so many times the units with all of their rows, each time under other names

  std::vector<RandomTable*> tables() { return {&person, &act, &part, &place}; }

  // CREATE and INSERT statements.
  std::string Sql() const;

  // The same rows for plain DuckDB, with views plain_person, … that say what a row means to us: NaN
  // is NULL, a row without an owner does not exist, and `u` is the owner. The functions are ours,
  // where DuckDB's would fail or mean something else.
  std::string PlainSql() const;

  // Caps that no unit exceeds, k = 1, no lists of keys. Epsilon is such that the grid of no
  // statistic need be coarser than it would be without noise, and the budget lasts for some hundred
  // questions.
  std::string PolicyText() const;
};

RandomDatabase DrawRandomDatabase(Dice& dice);

// One whose acts are so many that DuckDB gives them to several threads.
RandomDatabase DrawLargeDatabase(Dice& dice);

// What a unit has at most: five acts of three parts, beside five places each.
inline constexpr int kMostActs = 5;
inline constexpr int kMostParts = 3;
inline constexpr int kMostPlaces = 5;

}  // namespace dpsql
