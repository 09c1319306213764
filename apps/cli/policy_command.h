#pragma once

namespace dpsql::cli {

// `dpsql policy diff OLD NEW`: what a change does to the guarantee.
// Requires: argv[0] is the word "policy". Returns 0, or 1 where the change weakens it.
int RunPolicy(int argc, char** argv);

}  // namespace dpsql::cli
