#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dpsql/answer.h"
#include "dpsql/parameters.h"
#include "dpsql/session.h"

namespace dpsql::cli {

// The variables that stand for options which are not given.
inline constexpr const char* kPolicyVariable = "DPSQL_POLICY";
inline constexpr const char* kLedgerVariable = "DPSQL_LEDGER";
inline constexpr const char* kAnalystVariable = "DPSQL_ANALYST";

// What -c and -f name.
struct Input {
  bool is_file = false;
  std::string text;  // SQL, or the name of the file
};

struct Options {
  SessionOptions session;
  Format format = Format::kBox;
  std::vector<Input> inputs;  // in the order of the command line
  Parameters parameters;
  bool dry_run = false;
  bool confirm = false;
  bool keep_going = false;
  bool no_files = false;
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
