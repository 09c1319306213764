#include "budget_command.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <string>

#include "cli_options.h"
#include "dpsql/budget.h"
#include "fail.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

void AddFiles(CLI::App& app, BudgetOptions& options) {
  options.user = LoginName();
  app.add_option("--policy", options.policy, "The owner's policy file")
      ->required()
      ->envname("DPSQL_POLICY")
      ->type_name("FILE");
  app.add_option("--ledger", options.ledger,
                 "The budget's file, or sqlite:FILE (default: beside the policy)")
      ->envname("DPSQL_LEDGER")
      ->type_name("URL");
}

// Runs `work` once the arguments are understood; else the exit code of what was wrong with them.
int ParseAndRun(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
  if (const auto ended = ParseOrExit(app, argc, argv)) return *ended;
  return work();
}

// How reports are printed. An error is told as text, or with json as an object too.
enum class Form { kText, kJson, kCsv };

Form FormOf(const std::string& name) {
  if (name == "csv") return Form::kCsv;
  return name == "json" ? Form::kJson : Form::kText;
}

Format FormatOf(Form form) { return form == Form::kJson ? Format::kJson : Format::kBox; }

int Show(const BudgetOptions& options, Form form) {
  const auto report = ReadBudget(options);
  if (!report) return Fail(report.error(), "", FormatOf(form));
  std::cout << (form == Form::kCsv ? BudgetToCsv(*report) : FormatBudget(*report, FormatOf(form)));
  return 0;
}

// Does what the owner decided, then shows where it left the budget.
int Decide(const Status& decided, const BudgetOptions& options, Form form) {
  if (!decided) return Fail(decided.error(), "", FormatOf(form));
  return Show(options, form);
}

HistoryPrinter PrinterOf(Form form) {
  if (form == Form::kCsv) return HistoryPrinter(HistoryPrinter::Form::kCsv);
  return HistoryPrinter(form == Form::kJson ? HistoryPrinter::Form::kJson
                                            : HistoryPrinter::Form::kText);
}

int ShowHistory(const BudgetOptions& options, const HistoryOptions& which, Form form) {
  HistoryPrinter printer = PrinterOf(form);
  std::int64_t shown = 0;
  std::int64_t oldest = 0;
  const Status read = ReadHistory(options, which, [&](const std::vector<BudgetEvent>& page) {
    std::cout << printer.Page(page);
    shown += static_cast<std::int64_t>(page.size());
    oldest = page.back().sequence;
  });
  if (!read) return Fail(read.error(), "", FormatOf(form));
  std::cout << printer.End();
  if (form == Form::kText && shown == which.limit && oldest > 1) {
    std::cout << "older ones:  --before " << oldest << "\n";
  }
  return 0;
}

// A shell variable that is empty must not mean everybody.
std::string RefuseEmpty(const std::string& name) { return name.empty() ? "a name is empty" : ""; }

// What the arguments of `dpsql budget` fill.
struct BudgetArguments {
  BudgetOptions options;
  HistoryOptions history;
  std::string form = "text";
  bool csv = false;
  std::string analyst;
};

void AddForm(CLI::App& app, BudgetArguments& arguments) {
  CLI::Option* format = app.add_option("--format", arguments.form, "text, json or csv")
                            ->check(CLI::IsMember({"text", "json", "csv"}))
                            ->type_name("FORMAT");
  app.add_flag("--csv", arguments.csv, "The same as --format csv")->excludes(format);
}

void AddHistory(CLI::App& app, HistoryOptions& which) {
  app.add_option("--analyst", which.analyst, "Entries of this analyst only")->type_name("NAME");
  app.add_option("--limit", which.limit, "How many entries at most (default: all)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--before", which.before, "Entries older than this one only")
      ->check(CLI::PositiveNumber)
      ->type_name("ENTRY");
}

}  // namespace

int RunBudget(int argc, char** argv) {
  BudgetArguments arguments;
  BudgetOptions& options = arguments.options;
  CLI::App app("Show what is spent and what is left of a dataset's budget. Costs nothing.",
               "dpsql budget");
  app.fallthrough();
  AddFiles(app, options);
  app.add_option("--history", options.history, "How many of the last entries to show")
      ->capture_default_str()
      ->type_name("N");
  AddForm(app, arguments);
  CLI::App* history = app.add_subcommand("history", "List all entries, newest first");
  AddHistory(*history, arguments.history);
  CLI::App* grant = app.add_subcommand(
      "grant", "Put the policy's budget in force, or lift a revocation (for the owner)");
  grant->add_option("NAME", arguments.analyst, "Only lift the revocation of this analyst")
      ->check(RefuseEmpty);
  CLI::App* revoke =
      app.add_subcommand("revoke", "Stop all further spending, at once (for the owner)");
  revoke->add_option("NAME", arguments.analyst, "Only that of this analyst")->check(RefuseEmpty);
  CLI::App* pardon =
      app.add_subcommand("pardon", "Let an analyst ask again who was locked out (for the owner)");
  pardon->add_option("NAME", arguments.analyst, "The analyst")->required()->check(RefuseEmpty);
  app.require_subcommand(0, 1);
  app.footer("Exit codes: 0 ok, 2 usage or policy file, 3 budget, 5 ledger damaged.");
  return ParseAndRun(app, argc, argv, [&] {
    const Form form = arguments.csv ? Form::kCsv : FormOf(arguments.form);
    const std::string& name = arguments.analyst;
    if (history->parsed()) return ShowHistory(options, arguments.history, form);
    if (grant->parsed()) {
      return Decide(name.empty() ? GrantBudget(options) : AdmitAnalyst(options, name), options,
                    form);
    }
    if (revoke->parsed()) return Decide(RevokeSpending(options, name), options, form);
    if (pardon->parsed()) return Decide(PardonAnalyst(options, name), options, form);
    return Show(options, form);
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
