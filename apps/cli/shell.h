#pragma once

#include <string>

#include "console.h"

namespace dpsql::cli {

// Asks and answers at a prompt until the analyst leaves. Errors are shown, and it goes on. Returns
// the exit code.
// Requires: a terminal on stdin.
int RunShell(Console& console, const std::string& analyst);

}  // namespace dpsql::cli
