#include <unistd.h>

#include <iostream>
#include <string>
#include <string_view>

#include "budget_command.h"
#include "check_command.h"
#include "cli_options.h"
#include "demo_command.h"
#include "doctor_command.h"
#include "dpsql/session.h"
#include "fail.h"
#include "init_command.h"
#include "interrupt.h"
#include "ledger_command.h"
#include "policy_command.h"
#include "terminal.h"

namespace {

using dpsql::cli::Fail;
using dpsql::cli::Options;

// A pipe gets everything, a terminal what it has room for.
dpsql::Look LookFor(dpsql::Format format) {
  return {.format = format,
          .width = dpsql::cli::TerminalWidth(STDOUT_FILENO),
          .color = dpsql::cli::TakesColor(STDOUT_FILENO)};
}

struct ReplyPrinter {
  dpsql::Look look;

  void operator()(const dpsql::Answer& answer) const {
    std::cout << dpsql::FormatAnswer(answer, look) << std::flush;
    const bool rows_only =
        look.format == dpsql::Format::kCsv || look.format == dpsql::Format::kJsonLines;
    if (rows_only) std::cerr << dpsql::FormatFooter(answer);
  }
  void operator()(const dpsql::Explanation& explanation) const {
    std::cout << dpsql::FormatExplanation(explanation, look.format) << std::flush;
  }
  void operator()(const dpsql::SettingChanged&) const {}
};

int Run(const Options& options) {
  dpsql::cli::BlockInterrupts();  // before the session's threads start, which inherit it
  auto session = dpsql::Session::Open(options.session);
  if (!session) return Fail(session.error(), "", options.format);
  const dpsql::cli::InterruptWatcher watcher([&] { session->Cancel(); });
  const ReplyPrinter printer{LookFor(options.format)};
  for (const std::string& sql : options.commands) {
    const auto status = session->Run(
        sql, [&](const dpsql::Reply& reply) { std::visit(printer, reply); },
        {.parameters = options.parameters});
    if (!status) return Fail(status.error(), sql, options.format);
  }
  return 0;
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
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "init") return dpsql::cli::RunInit(argc - 1, argv + 1);
  if (command == "policy") return dpsql::cli::RunPolicy(argc - 1, argv + 1);
  if (command == "doctor") return dpsql::cli::RunDoctor(argc - 1, argv + 1);
  if (command == "check") return dpsql::cli::RunCheck(argc - 1, argv + 1);
  if (command == "budget") return dpsql::cli::RunBudget(argc - 1, argv + 1);
  if (command == "demo") return dpsql::cli::RunDemo(argc - 1, argv + 1);
  if (command == "audit") return dpsql::cli::RunAudit(argc - 1, argv + 1);
  if (command == "ledger") return dpsql::cli::RunLedger(argc - 1, argv + 1);
  const auto parsed = dpsql::cli::ParseArguments(argc, argv);
  if (!parsed.options) return parsed.exit_code;
  return Run(*parsed.options);
}

}  // namespace

int main(int argc, char** argv) { return Written(RunCommand(argc, argv)); }
