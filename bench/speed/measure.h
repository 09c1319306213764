#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "speed/question.h"

namespace dpsql {

struct MeasureOptions {
  std::string database;
  std::string policy;    // the policy's text
  int repetitions = 31;  // at most MostRepetitions
  double seconds = 30;   // no repetition starts after this time, but the first three
};

// One row: the medians of exact_ms, per_unit_ms and dpsql_ms over alternating repetitions in one
// process, the same in CPU time, and the peak memory of processes that ask nothing else. A question
// that the product refuses has "refused" with its words, and no dpsql_ms.
//
// Ours goes through the public interface, from SQL text to the answer, with the ledger on disk; no
// data label is set, so nothing is answered from storage.
nlohmann::json Measure(const Question& question, const MeasureOptions& options);

}  // namespace dpsql
