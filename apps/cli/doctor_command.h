#pragma once

namespace dpsql::cli {

// `dpsql doctor [URL]`: whether installation, policy, ledger and database are as they should be.
// Requires: argv[0] is the word "doctor". Returns 0, or 2 where something failed.
int RunDoctor(int argc, char** argv);

}  // namespace dpsql::cli
