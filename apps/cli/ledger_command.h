#pragma once

namespace dpsql::cli {

// `dpsql ledger backup FILE | verify | upgrade`: the care of the budget's files.
// Requires: argv[0] is the word "ledger".
int RunLedger(int argc, char** argv);

}  // namespace dpsql::cli
