#pragma once

#include <optional>
#include <string>

#include "dpsql/session.h"
#include "random/expected.h"
#include "random/random_database.h"

namespace dpsql {

// One random database, opened twice: behind the engine, whose noise is zero in this program, and in
// plain DuckDB.
class RandomHouse {
 public:
  // Makes files that begin with `stem`. Throws where the engine does not open them.
  RandomHouse(const RandomDatabase& database, const std::string& stem);

  struct Outcome {
    bool accepted = false;
    std::string refusal;               // the code and its words
    std::optional<std::string> wrong;  // what the answer or the failure has against it
  };
  Outcome Try(const Question& question);
  Outcome Try(const NestedQuestion& question);

 private:
  // The answer, or what became of the question.
  std::optional<Answer> Ask(const std::string& sql, Outcome& outcome);

  PlainDuckDb plain_;
  Session session_;
};

}  // namespace dpsql
