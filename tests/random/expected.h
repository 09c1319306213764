#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dpsql/answer.h"
#include "random/plain_duckdb.h"
#include "random/question.h"
#include "random/tolerance.h"

namespace dpsql {

struct ExpectedRow {
  std::vector<std::string> key;
  std::vector<Cell> cells;     // of each output
  bool may_be_absent = false;  // a group that shows nothing
};

// The answer that plain DuckDB gives, in order where the question sorts.
std::vector<ExpectedRow> Expect(const Question& question, PlainDuckDb& plain);

// What is wrong with the answer, or nothing.
std::optional<std::string> Difference(const Question& question,
                                      const std::vector<ExpectedRow>& expected,
                                      const Answer& answer);

// The same for a question whose numbers are all exact: the same rows, in any order.
std::optional<std::string> Difference(const std::vector<std::vector<Value>>& expected,
                                      const Answer& answer);

}  // namespace dpsql
