#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/result.h"
#include "dpsql/value.h"

namespace dpsql {

enum class ColumnRole { kKey, kEstimate, kDerived, kPublic };

struct AnswerColumn {
  std::string name;
  std::string type;  // fixed by the plan, never by the data
  ColumnRole role = ColumnRole::kPublic;
  std::string mechanism;  // of an estimate: "gaussian"
};

// The 95 % interval of the noise. The sampling error of the population is not part of it.
struct NoiseInterval {
  double low = 0;
  double high = 0;
};

struct Price {
  double epsilon = 0;
  double delta = 0;
  double mu = 0;
  int doors = 0;
};

struct Remaining {
  double epsilon = 0;
  double delta = 0;
  std::int64_t queries_like_this = 0;
};

// A released table. Everything in it is safe to publish: it has been paid for.
struct Answer {
  std::vector<AnswerColumn> columns;
  std::vector<std::vector<Value>> rows;
  std::vector<std::vector<std::optional<NoiseInterval>>> intervals;  // beside each cell
  Price price;
  Remaining remaining;
  bool stored = false;               // an earlier release was handed out again
  bool share_charged = false;        // stored, and the asker's own share paid for it now
  std::string release;               // "r-000017"
  std::vector<std::string> notices;  // depend on the plan only
};

enum class Format { kBox, kCsv, kJson, kJsonLines, kMarkdown };

// Whether programs read it as JSON. Where only text and JSON exist, all others are text.
inline bool IsJson(Format format) {
  return format == Format::kJson || format == Format::kJsonLines;
}

// How an answer is laid out. All but the format is for boxes and changes no number.
struct Look {
  Format format = Format::kBox;
  std::size_t width = 0;  // columns of the terminal; 0: as wide as the answer is
  bool color = false;     // escape sequences of a terminal
  bool expanded = false;  // a block of `column │ value` lines for each row, as psql's \x
};

// The answer as text. Ensures: ends with a newline; in a box no line is wider than the width.
// - Box and Markdown round: two digits of the margin, and the value to the same place.
// - Csv and JsonLines have every digit, the ends of intervals in columns of their own (n_low,
//   n_high), and nothing but the rows: FormatFooter has the rest.
// - Json is one object with everything.
std::string FormatAnswer(const Answer& answer, const Look& look);
std::string FormatAnswer(const Answer& answer, Format format);

// The notices and the price, what is left and for how many more queries like this it will do.
// Ensures: ends with a newline.
std::string FormatFooter(const Answer& answer);

}  // namespace dpsql
