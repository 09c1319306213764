#include "budget_command.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <string>

#include "cli_options.h"
#include "dpsql/budget.h"
#include "fail.h"

namespace dpsql::cli {
namespace {

constexpr int kUsageError = 2;

void AddFiles(CLI::App& app, BudgetOptions& options) {
  options.user = LoginName();
  app.add_option("--policy", options.policy, "The owner's policy file")
      ->required()
      ->type_name("FILE");
  app.add_option("--ledger", options.ledger,
                 "The budget's file, or sqlite:FILE (default: beside the policy)")
      ->type_name("URL");
}

// Runs `work` once the arguments are understood; else the exit code of what was wrong with them.
int ParseAndRun(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  return work();
}

int Show(const BudgetOptions& options, Format format) {
  const auto report = ReadBudget(options);
  if (!report) return Fail(report.error(), "", format);
  std::cout << FormatBudget(*report, format);
  return 0;
}

// Does what the owner decided, then shows where it left the budget.
int Decide(const Status& decided, const BudgetOptions& options, Format format) {
  if (!decided) return Fail(decided.error(), "", format);
  return Show(options, format);
}

}  // namespace

int RunBudget(int argc, char** argv) {
  BudgetOptions options;
  std::string format_name = "text";
  std::string analyst;
  CLI::App app("Show what is spent and what is left of a dataset's budget. Costs nothing.",
               "dpsql budget");
  app.fallthrough();
  AddFiles(app, options);
  app.add_option("--history", options.history, "How many of the last entries to show")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--format", format_name, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  const CLI::App* grant =
      app.add_subcommand("grant", "Put the policy's budget in force (for the owner)");
  CLI::App* pardon =
      app.add_subcommand("pardon", "Let an analyst ask again who was locked out (for the owner)");
  pardon->add_option("NAME", analyst, "The analyst")->required();
  app.footer("Exit codes: 0 ok, 2 usage or policy file, 3 budget, 5 ledger damaged.");
  return ParseAndRun(app, argc, argv, [&] {
    const Format format = format_name == "json" ? Format::kJson : Format::kBox;
    if (grant->parsed()) return Decide(GrantBudget(options), options, format);
    if (pardon->parsed()) return Decide(PardonAnalyst(options, analyst), options, format);
    return Show(options, format);
  });
}

int RunAudit(int argc, char** argv) {
  BudgetOptions options;
  CLI::App app("Read the record of all that was paid for.", "dpsql audit");
  app.require_subcommand(1);
  CLI::App* write =
      app.add_subcommand("export", "Verify the ledger and write one JSON object for each entry");
  AddFiles(*write, options);
  app.footer("Exit codes: 0 ok, 2 usage or policy file, 5 ledger damaged.");
  return ParseAndRun(app, argc, argv, [&] {
    const auto print = [](std::string_view line) { std::cout << line << "\n"; };
    const Status exported = ExportAudit(options, print);
    return exported ? 0 : Fail(exported.error(), "", Format::kBox);
  });
}

}  // namespace dpsql::cli
