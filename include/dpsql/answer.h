#pragma once

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
  std::string release;               // "r-000017"
  std::vector<std::string> notices;  // depend on the plan only
};

enum class Format { kBox, kJson };

// The answer as text in the given format. Ensures: ends with a newline.
std::string FormatAnswer(const Answer& answer, Format format);

}  // namespace dpsql
