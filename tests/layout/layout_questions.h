#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dpsql/result.h"
#include "layout/exact_numbers.h"
#include "support/temp_folder.h"

namespace dpsql {

struct Question {
  std::string sql;          // UNIT stands for the column that names the unit
  bool of_persons = false;  // whose unit is "dense" only
  bool claims = false;      // distinct values, which is done in memory alone
};

const std::vector<Question>& Questions();

// The question with the unit's column, which is one of UnitColumns().
std::string SqlOf(const Question& question, std::size_t unit);

// The questions of one type of unit, by their places. Where not all are asked, two types of unit
// have each.
std::vector<std::size_t> QuestionsOf(std::size_t unit, bool all);

const std::vector<int>& ThreadCounts();

// How a session reads, apart from the order of the rows.
struct Setup {
  std::size_t unit = 0;  // of UnitColumns()
  int threads = 1;
  Path path = Path::kOwn;
};

// Where the databases lie, with a policy and a ledger of its own for every session.
class LayoutFolder {
 public:
  std::string Database(const std::string& name) const { return folder_ / (name + ".duckdb"); }
  std::string NextLedger() { return folder_ / ("ledger-" + std::to_string(++ledgers_)); }
  std::string WritePolicy(const Setup& setup);

  ExactHouse Open(const std::string& database, const Setup& setup);

 private:
  TempFolder folder_;
  int ledgers_ = 0;
  int policies_ = 0;
};

// Thrown, so that the databases are removed on the way out.
[[noreturn]] inline void Fail(const std::string& words) { throw std::runtime_error(words); }

template <typename T>
T Must(Result<T> result, const std::string& sql) {
  if (!result) Fail(RenderError(result.error(), sql));
  return std::move(result).value();
}

}  // namespace dpsql
