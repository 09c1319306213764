#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dpsql/answer.h"
#include "dpsql/parameters.h"
#include "dpsql/session.h"

namespace dpsql::cli {

struct Options {
  SessionOptions session;
  Format format = Format::kBox;
  std::vector<std::string> commands;
  Parameters parameters;
};

// The options, or the exit code where there is nothing to run (--help, or a mistake).
struct Parsed {
  std::optional<Options> options;
  int exit_code = 0;
};

// Of who runs the program.
std::string LoginName();

Parsed ParseArguments(int argc, char** argv);

}  // namespace dpsql::cli
