#pragma once

#include <string>
#include <vector>

#include "base/error_codes.h"

namespace dpsql {

// One thing that is wrong with a policy, and the line that says so. A session stops at the first;
// `dpsql check` shows them all.
struct PolicyProblem {
  ErrorCode code = ErrorCode::kPolicyFile;
  int line = 0;
  std::string message;
  std::string hint;
};
using PolicyProblems = std::vector<PolicyProblem>;

inline Error ToError(const PolicyProblem& problem, const std::string& file) {
  return MakeError(problem.code, file + ":" + std::to_string(problem.line) + ": " + problem.message,
                   {}, problem.hint);
}

}  // namespace dpsql
