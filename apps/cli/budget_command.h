#pragma once

namespace dpsql::cli {

// `dpsql budget [history | grant [NAME] | revoke [NAME] | pardon NAME]`: what is spent and left,
// and the owner's decisions.
int RunBudget(int argc, char** argv);

// `dpsql audit export`: the verified ledger as lines of JSON.
int RunAudit(int argc, char** argv);

}  // namespace dpsql::cli
