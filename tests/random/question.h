#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "random/random_relation.h"

namespace dpsql {

enum class Measure {
  kCountRows,
  kCountValues,
  kCountUnits,
  kCountDistinct,
  kSum,
  kAvg,
  kVarPop,
  kVarSamp,
  kVariance,
  kStddevPop,
  kStddevSamp,
  kStddev,
  kCovarPop,
  kCovarSamp,
  kCorr,
  kRegrSlope,
  kRegrIntercept,
  kRegrR2,
};
inline constexpr std::size_t kMeasures = 18;

// The powers of x and y that a measure is made of.
struct Degrees {
  unsigned x = 0;
  unsigned y = 0;
};

struct MeasureInfo {
  const char* name;  // for the report
  const char* function;
  Degrees degrees;  // none: a count

  bool is_count() const { return degrees.x == 0; }
  bool is_pair() const { return degrees.y > 0; }
};
const MeasureInfo& InfoOf(Measure measure);

// One aggregate. Of a pair, y comes first in the text, as in SQL: regr_slope(y, x).
struct Item {
  Measure measure = Measure::kCountRows;
  Expression x;
  Expression y;
  Range x_range;
  Range y_range;
  bool inline_bounds = false;
  std::optional<Expression> filter;

  std::string Asked() const;
};

// A sum of aggregates, most often of one alone: factor * item + … + constant.
struct Output {
  struct Term {
    int factor = 1;
    Item item;
  };
  std::vector<Term> terms;
  int constant = 0;

  bool is_plain() const { return terms.size() == 1 && terms[0].factor == 1 && constant == 0; }
  std::string Asked() const;
};

// How GROUP BY names its keys: as they are, by their places, by their names.
enum class GroupStyle { kWritten, kPlaces, kNames };

enum class SortOrder { kNone, kUp, kDown };  // NULL is the largest, as in PostgreSQL

// A question with one door, which plain DuckDB answers group by group.
struct Question {
  RandomRelation relation;
  std::optional<Expression> where;
  std::vector<Expression> keys;
  GroupStyle group_style = GroupStyle::kWritten;
  std::vector<Output> outputs;    // at least one
  std::optional<int> least_rows;  // HAVING count(*) >= …
  SortOrder by_count = SortOrder::kNone;
  SortOrder by_keys = SortOrder::kNone;
  std::optional<int> limit;  // only where sorted

  bool is_sorted() const { return by_keys != SortOrder::kNone; }
  std::vector<const Item*> items() const;

  // s: the values of an item are rounded to whole steps of (U - L) / 2^s. Items of the same
  // arguments are read from one vector, whose degree is that of the highest. Products of so many
  // factors have 40 bits, and a value has 20 at most; the policy is one under which the noise needs
  // no coarser steps. Requires: not a count.
  unsigned ValueBits(const Item& item) const;
  std::string Asked() const;

  // The rows with a value for each key (k0, …) and the arguments of each item (x0, y0, …): clamped,
  // DOUBLE, and NULL where the item does not count the row.
  std::string PlainRows() const;

  // The keys that the engine knows beforehand: random/known_keys.h.
  std::optional<std::string> PlainKeys() const;
};

Question DrawQuestion(Dice& dice, const RandomDatabase& database);

// A question with several doors that count, and one for plain DuckDB with the same rows.
struct NestedQuestion {
  std::string shape;
  std::string asked;
  std::string plain;
};
NestedQuestion DrawNestedQuestion(Dice& dice, const RandomDatabase& database);

}  // namespace dpsql
