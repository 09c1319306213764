#pragma once

namespace dpsql::cli {

// `dpsql budget [grant | pardon NAME]`: what is spent and left, and the owner's two decisions.
int RunBudget(int argc, char** argv);

// `dpsql audit export`: the verified ledger as lines of JSON.
int RunAudit(int argc, char** argv);

}  // namespace dpsql::cli
