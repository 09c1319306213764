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
                                        const Answer& other);

  PlainDuckDb plain_;
  Session duckdb_;
  std::vector<Session> others_;
};

}  // namespace dpsql
