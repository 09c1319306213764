#pragma once

#include <optional>
#include <string>

#include "dpsql/value.h"
#include "random/question.h"

namespace dpsql {

// What an answer may show in one place.
struct Cell {
  enum class Kind { kNull, kBetween, kAnything };
  Kind kind = Kind::kNull;
  double low = 0;
  double high = 0;
};

// What plain DuckDB says of one item in one group, over clamped values.
struct Moments {
  double count = 0;
  double value = 0;
  double mean_x = 0;
  double mean_y = 0;
  double variance_x = 0;
  double variance_y = 0;
};

// The answers that rounding allows. A value is rounded to the nearest of 2^s steps between its
// bounds, which moves it by at most h = (U - L) / 2^(s+1). Hence, over n rows:
//   SUM          n h, and with the value of the larger bound as unit n max(|L|, |U|) / 2^(s+1);
//   AVG          h;
//   STDDEV       h: a standard deviation is a norm, and moves by at most that of the roundings;
//   VAR          2 sd h + h^2, from (sd + h)^2;
//   COVAR        h_x sd_y + h_y sd_x + h_x h_y, by Cauchy and Schwarz;
//   slope, CORR  a / b with both moved: (da + |a / b| db) / (b - db);
//   intercept    mean_y - slope mean_x with all three moved.
// Estimates of samples weigh n / (n - 1). Numbers are shown with as many decimals as 2^-20 of the
// largest answer that bounds allow has, which moves them by half of the last one. Where the
// denominator of a quotient is within twice its error of zero, anything may be shown.
//
// A group that was found shows nothing of an item without a row: Cell::kNull. One that was known,
// which is also that of a question without keys, has 0 for counts and sums then.
struct Grid {
  unsigned value_bits = 0;  // s
  bool known_group = false;
};
Cell CellOf(const Item& item, const Moments& moments, Grid grid);

// factor * a + b. NULL and anything pass on.
Cell Weighted(const Cell& a, int factor, const Cell& b);
Cell Exactly(double value);

bool Fits(const Cell& cell, const Value& shown);
std::string Describe(const Cell& cell);

}  // namespace dpsql
