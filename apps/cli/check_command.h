#pragma once

namespace dpsql::cli {

// `dpsql check`: lints a policy or, with -c, shows the plan of a query that is not asked; with
// --verify, finds whether the policy's keys are keys.
// Requires: argv[0] is the word "check". Returns the exit code: of a policy 0 or, with errors, 2;
// of a query 0 or that of its refusal.
int RunCheck(int argc, char** argv);

}  // namespace dpsql::cli
