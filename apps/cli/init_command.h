#pragma once

namespace dpsql::cli {

// `dpsql init URL`: a commented draft of a policy, on stdout or in a new file.
// Requires: argv[0] is the word "init". Returns the exit code.
int RunInit(int argc, char** argv);

}  // namespace dpsql::cli
