#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "console.h"

namespace dpsql::cli {

// Runs one command of the shell: `.tables`, `\d customer`. Returns the exit code; what was wrong
// has been said.
int RunShellCommand(std::string_view line, Console& console);

// For completion.
std::vector<std::string> ShellCommandNames();

}  // namespace dpsql::cli
