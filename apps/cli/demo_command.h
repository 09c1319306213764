#pragma once

namespace dpsql::cli {

// `dpsql demo`: a guided tour on an invented shop. Each step is a command as one would type it, run
// by this very program.
// Requires: argv[0] is the word "demo".
int RunDemo(int argc, char** argv);

}  // namespace dpsql::cli
