#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/answer.h"
#include "dpsql/parameters.h"
#include "dpsql/result.h"

// What can be said of a policy and of a query before anything is asked. No budget, no ledger, and
// of a database its schema only.
namespace dpsql {

enum class Severity { kError, kWarning, kInfo };

// One thing about a policy that its owner should know.
struct Finding {
  Severity severity = Severity::kError;
  std::string code;  // of an error, "C204"; else the name of the rule, "no-row-cap"
  std::string message;
  std::string fix;  // what to write; may be empty
  std::string file;
  int line = 1;
};

struct CheckOptions {
  std::string policy;   // the owner's file
  std::string url;      // of the database; empty: the policy alone, with the types it declares
  std::string dialect;  // whose SQL to show with a query: one of DialectNames(); empty: none
};

std::vector<std::string> DialectNames();

// Everything found, in the order of the file. Fails where the policy or the database cannot be
// opened at all.
Result<std::vector<Finding>> CheckPolicy(const CheckOptions& options);

bool HasErrors(const std::vector<Finding>& findings);

// The findings as text, `file:line: severity: message [code]` each, or one JSON object
// {"findings": […], "errors": 0, "warnings": 2}. Ensures: ends with a newline.
std::string FormatFindings(const std::vector<Finding>& findings, Format format);

// An accepted query: its typed plan, fit for a terminal, and for a dialect the statements that
// would run, as a database would be sent them: a literal may hold any character.
struct CheckedQuery {
  std::string plan;
  std::vector<std::string> sql;
};

// Plain text, or one JSON object {"accepted": true, "plan": …, "sql": …}. Ensures: ends with a
// newline.
std::string FormatCheckedQuery(const CheckedQuery& checked, Format format);

// Walks queries through the first two rooms.
class QueryChecker {
 public:
  static Result<QueryChecker> Open(const CheckOptions& options);

  QueryChecker(QueryChecker&&) noexcept;
  QueryChecker& operator=(QueryChecker&&) noexcept;
  ~QueryChecker();

  // What a plan without a database rests on; empty with one.
  const std::vector<std::string>& notices() const;

  // The plans of the statements, or the refusal of the first that a session would refuse. A SET
  // holds for the statements after it.
  Result<std::vector<CheckedQuery>> Check(std::string_view sql, const Parameters& parameters = {});

 private:
  struct Impl;
  explicit QueryChecker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dpsql
