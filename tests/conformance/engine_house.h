#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dpsql/session.h"
#include "random/shrink.h"
#include "support/engine_copies.h"

namespace dpsql {

// One random database in DuckDB and in other engines, each behind the product with zero noise.
//
// COUNT(DISTINCT x) is how many values units can claim. Which claims which is by keyed hash, and
// the number differs from one ledger to another: such answers are held against plain DuckDB.
//
// Engines do not promise the same of a column that is declared NOT NULL: SQLite may keep a text in
// a column of numbers, PostgreSQL NaN in one of decimals, and both are read as NULL. A plan that
// must count such rows has other statistics than DuckDB's, and rounds to another grid. Where the
// numbers differ and the statistics do too, the answer is held against plain DuckDB as well, within
// what rounding allows.
class EngineHouse {
 public:
  // Makes files that begin with `stem`, and copies of that name. Throws where one does not open.
  EngineHouse(const RandomDatabase& database, const std::string& stem,
              const std::vector<std::shared_ptr<EngineCopies>>& engines);

  // What an engine made of a question that DuckDB answers.
  struct Reply {
    bool answered = false;
    std::string refusal;               // the code and its words
    std::optional<std::string> wrong;  // a failure, or where the answer differs from DuckDB's
  };

  // A reply per engine; none where DuckDB refuses the question.
  std::vector<Reply> Try(const RandomCase& asked);

 private:
  std::optional<std::string> Difference(const RandomCase& asked, const Answer& duckdb,
                                        const Answer& other, Session& session);

  PlainDuckDb plain_;
  Session duckdb_;
  std::vector<Session> others_;
};

}  // namespace dpsql
