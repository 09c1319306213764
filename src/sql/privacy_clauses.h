#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"

namespace dpsql {

class ParameterUses;
class Tokens;

// What a text says beyond PostgreSQL's grammar, read from its tokens:
//
//   SELECT WITH DIFFERENTIAL_PRIVACY [OPTIONS (name = value, …)] …     (or ANONYMIZATION)
//   SELECT PRIVATE_QUERY OPTIONS (name = value, …) …
//   ALTER PRIVATE_TABLE t OPTIONS (name = value, …)
//
// None of them is valid SQL, so a text that means something without them is never changed.
struct PrivacyClauses {
  struct Clause {
    std::uint32_t select_begin = 0;  // where its SELECT stands
    ast::PrivacyOptions options;
  };
  std::vector<Clause> clauses;             // in the order of the text
  std::vector<ast::Statement> statements;  // the ALTER PRIVATE_TABLE ones

  bool empty() const { return clauses.empty() && statements.empty(); }
};

// Ensures: names and values are as written; whether they exist and are allowed is not asked here.
// The value of an option may be a parameter.
Result<PrivacyClauses> FindPrivacyClauses(const Tokens& tokens, const ParameterUses& uses);

// The text with the clauses made blank byte for byte, so that all other offsets stay.
std::string Blank(std::string sql, const PrivacyClauses& clauses);

}  // namespace dpsql
