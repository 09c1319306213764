#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>

#include "cli_options.h"
#include "commands.h"
#include "console.h"
#include "dpsql/session.h"
#include "fail.h"
#include "interrupt.h"
#include "shell.h"
#include "spending.h"
#include "text_table.h"
#include "usage.h"

namespace {

using dpsql::cli::Console;
using dpsql::cli::Input;
using dpsql::cli::kUsageError;
using dpsql::cli::Options;

// Of a question that is refused, or for which the budget is too small: nothing was spent on it.
// Behind any other error the next question would be paid for and fail as well.
bool IsFree(int exit_code) { return exit_code == 1 || exit_code == 3; }

// In the order in which they were given; the first error ends it, or is told at the end.
int RunInputs(const Options& options, Console& console) {
  int first_error = 0;
  for (const Input& input : options.inputs) {
    dpsql::cli::Script script{.name = "", .text = input.text};
    if (input.is_file && !dpsql::cli::ReadScript(input.text, script)) return kUsageError;
    const int exit_code = dpsql::cli::RunScript(script, console);
    if (exit_code != 0 && !(options.keep_going && IsFree(exit_code))) return exit_code;
    if (first_error == 0) first_error = exit_code;
    if (console.ended) break;
  }
  return first_error;
}

int Run(Options options) {
  if (options.confirm && !dpsql::cli::CanAsk()) {
    std::cerr << "dpsql: --confirm needs a terminal to ask on\nHINT:  --dry-run tells the prices\n";
    return kUsageError;
  }
  const bool prompt = options.inputs.empty() && isatty(STDIN_FILENO) != 0;
  if (options.inputs.empty()) options.inputs.push_back({.is_file = true, .text = "-"});
  dpsql::cli::UseUtf8();
  dpsql::cli::BlockInterrupts();  // before the session's threads start, which inherit it
  dpsql::cli::InterruptWatcher watcher;
  auto session = dpsql::Session::Open(options.session);
  if (!session) return dpsql::cli::Fail(session.error(), "", options.format);
  Console console(*session, watcher);
  console.options.parameters = options.parameters;
  console.options.dry_run = options.dry_run;
  console.look.format = options.format;
  console.confirm = options.confirm;
  console.files = prompt && !options.no_files;
  return prompt ? dpsql::cli::RunShell(console, options.session.analyst)
                : RunInputs(options, console);
}

// What could not be written was not told: a full disk or a closed pipe is a failure.
int Written(int exit_code) {
  std::cout.flush();
  if (std::cout || exit_code != 0) return exit_code;
  std::cerr << "dpsql: the output could not be written\n";
  return 4;
}

int RunCommand(int argc, char** argv) {
  // A database file of such a name is asked as ./check.
  const dpsql::cli::Command* command = argc > 1 ? dpsql::cli::FindCommand(argv[1]) : nullptr;
  if (command != nullptr) return command->run(argc - 1, argv + 1);
  const std::string meant = argc > 1 ? dpsql::cli::MeantCommand(argv[1]) : "";
  if (!meant.empty()) {
    std::cerr << "dpsql: " << argv[1]
              << " is neither a file nor a command\nHINT:  did you mean  dpsql " << meant << "?\n";
    return kUsageError;
  }
  auto parsed = dpsql::cli::ParseArguments(argc, argv);
  if (!parsed.options) return parsed.exit_code;
  return Run(std::move(*parsed.options));
}

// The memory holds people's rows: no image of it is written when the process dies, and no other
// program of the same account may look into it.
void KeepMemoryPrivate() { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// Where a file may not grow, the write fails like that of a full disk; by default the signal ends
// the program without a word.
void TakeFileLimitsAsErrors() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace

int main(int argc, char** argv) {
  KeepMemoryPrivate();
  TakeFileLimitsAsErrors();
  const dpsql::cli::StopWatcher stops;
  return Written(RunCommand(argc, argv));
}
